/** What a worker thread is started with. */
export interface SqliteWorkerSettings {
  readonly path: string;
  /** One thread writes; the others open the file read-only. */
  readonly access: 'write' | 'read';
  /** Most rows in one answer. */
  readonly rowsMax: number;
  /** Most characters of text in one answer. */
  readonly charactersMax: number;
}

/** One step of a request. */
export type SqliteCommand =
  | {
      readonly kind: 'execute';
      readonly sql: string;
      readonly parameters: readonly unknown[];
      /** The sender believes that a transaction is open; if it is not any more, nothing is run. */
      readonly inTransaction: boolean;
    }
  | { readonly kind: 'begin' | 'commit' | 'rollback' | 'close' };

/**
 * What a thread is asked to do, in this order and up to the first failure; the answer is the last command's. Requests are
 * answered one by one, in the order they came. A message to another thread costs more than most statements do.
 */
export interface SqliteRequest {
  readonly id: number;
  readonly commands: readonly SqliteCommand[];
}

/** Rows of a statement that gives some, or how many it changed. */
export interface SqliteResult {
  readonly rows: readonly Record<string, unknown>[];
  /** `undefined` for statements that give rows. */
  readonly changes: number | undefined;
}

/** Why a statement failed: SQLite's extended result code, or one of ours, and a message. */
export interface SqliteFailure {
  readonly databaseCode: string;
  readonly message: string;
}

/** What a thread says: first that it is open (or why not), then one answer for each request. */
export type SqliteReply =
  | { readonly kind: 'open' }
  | { readonly kind: 'failed'; readonly failure: SqliteFailure }
  | { readonly kind: 'result'; readonly id: number; readonly result: SqliteResult }
  | { readonly kind: 'error'; readonly id: number; readonly failure: SqliteFailure };
