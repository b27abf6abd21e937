import type { Database } from 'better-sqlite3';
import { openFile } from './open-file.ts';
import { StatementCache } from './statement-cache.ts';
import type { SqliteCommand, SqliteResult, SqliteWorkerSettings } from './worker-protocol.ts';

const NOTHING: SqliteResult = { rows: [], changes: undefined };

/** A failure that SQLite has no code for. */
class SessionError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** One connection to the file, inside a worker thread. */
export class SqliteSession {
  readonly #database: Database;
  readonly #statements: StatementCache;
  readonly #settings: SqliteWorkerSettings;

  constructor(settings: SqliteWorkerSettings) {
    this.#settings = settings;
    this.#database = openFile(settings);
    this.#statements = new StatementCache(this.#database);
  }

  /** Does what is asked up to the first failure, and throws what SQLite throws. @returns the last command's result */
  handle(commands: readonly SqliteCommand[]): SqliteResult {
    return commands.reduce((_, command) => this.#run(command), NOTHING);
  }

  #run(command: SqliteCommand): SqliteResult {
    switch (command.kind) {
      case 'execute':
        return this.#execute(command.sql, command.parameters, command.inTransaction);
      case 'begin':
        // The write lock is taken at once: a transaction that took it later could fail half-way with SQLITE_BUSY.
        this.#database.exec(this.#settings.access === 'write' ? 'begin immediate' : 'begin');
        return NOTHING;
      case 'commit':
        this.#expectTransaction();
        this.#database.exec('commit');
        return NOTHING;
      case 'rollback':
        // After a full disk SQLite has rolled back by itself.
        if (this.#database.inTransaction) this.#database.exec('rollback');
        return NOTHING;
      case 'close':
        this.#database.close();
        return NOTHING;
    }
  }

  #execute(sql: string, parameters: readonly unknown[], inTransaction: boolean): SqliteResult {
    if (inTransaction) this.#expectTransaction();
    const statement = this.#statements.prepare(sql);
    if (!statement.reader) return { rows: [], changes: statement.run(...parameters).changes };
    const { rowsMax, charactersMax } = this.#settings;
    const rows: Record<string, unknown>[] = [];
    let characters = 0;
    for (const row of statement.iterate(...parameters)) {
      for (const value of Object.values(row)) if (typeof value === 'string') characters += value.length;
      if (rows.length === rowsMax || characters > charactersMax) {
        throw new SessionError(
          'RESULT_TOO_LARGE',
          `a result has more than ${rowsMax} rows or ${charactersMax} characters`,
        );
      }
      rows.push(row);
    }
    return { rows, changes: undefined };
  }

  #expectTransaction(): void {
    if (this.#database.inTransaction) return;
    throw new SessionError('TRANSACTION_LOST', 'SQLite rolled the transaction back after an error');
  }
}
