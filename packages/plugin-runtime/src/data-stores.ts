/*
 * Databases that the operator of a host lets its plugins keep things in, beside the shared store of counters. They are the operator's and not a
 * tenant's: who keeps something in them puts the tenant into every statement. The ports have the shape of what the drivers offer, so
 * that a host passes little more than a driver.
 */

/** Bounds of one call. */
export interface DataCallOptions {
  /** How long the call may take, in milliseconds; what it changed may stand even when it was too late. */
  readonly timeoutMs: number;
  /** Ends the wait: pass the exchange's signal. */
  readonly signal?: AbortSignal;
}

/** PostgreSQL. */
export interface SqlStore {
  /**
   * Runs one statement.
   * @param text with `$1`, `$2`, … for the values: never put a value into the text
   * @throws whatever the driver says; its message may hold addresses: do not log it, and do not tell clients
   */
  query(
    text: string,
    values: readonly unknown[],
    options: DataCallOptions,
  ): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

/** One collection of MongoDB. */
export interface DocumentCollection {
  aggregate(
    pipeline: readonly object[],
    options: DataCallOptions,
  ): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Puts a document in the place of the one with its `_id`, or adds it. */
  replace(document: { readonly _id: string } & object, options: DataCallOptions): Promise<void>;
  /** Deletes what matches. */
  remove(filter: object, options: DataCallOptions): Promise<void>;
  /** Makes an index where it is missing. @param expireAfterSeconds makes it one that deletes what is older than its field says */
  ensureIndex(
    keys: Readonly<Record<string, 1 | -1>>,
    options: DataCallOptions & { readonly expireAfterSeconds?: number },
  ): Promise<void>;
}

/** MongoDB: one database. */
export interface DocumentStore {
  collection(name: string): DocumentCollection;
}

/** See the head of this file. What the operator did not configure is absent. */
export interface DataStores {
  readonly sql?: SqlStore;
  readonly documents?: DocumentStore;
  /** Whether the operator lets tenants share cached answers that are configured so. Default: nobody shares. Source: decisions, 22. */
  readonly sharesAnswers?: boolean;
}

/** The databases of hosts that have none. */
export const noDataStores: DataStores = Object.freeze({});
