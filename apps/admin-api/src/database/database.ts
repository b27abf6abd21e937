import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Anything that runs queries: the pool of readers, or an open transaction. */
export type Executor = Kysely<Tables> | Transaction<Tables>;

/** The database as the rest of the service sees it. One shape for SQLite and PostgreSQL. */
export interface Database {
  readonly dialect: 'sqlite' | 'postgres';
  /** Runs single reads. Never blocks the event loop: on SQLite readers live in worker threads. */
  readonly read: Kysely<Tables>;
  /**
   * Runs `work` in one write transaction. It commits when `work` resolves and rolls back when it throws.
   * On SQLite there is one writer (a worker thread) and transactions queue for it; on PostgreSQL a connection is taken.
   * @throws what `work` throws; a `DatabaseUnavailableError` when no connection can be had
   */
  transaction<Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` with reads that all see one and the same committed state (PostgreSQL: repeatable read, read only; SQLite: a
   * read transaction on a reader's connection). For documents that are put together from several queries.
   */
  snapshot<Result>(work: (executor: Executor) => Promise<Result>): Promise<Result>;
  /** Runs `listener` after each commit, anywhere, that called `announce`. Returns the function that stops it. */
  subscribe(listener: (notice: ChangeNotice) => void): () => void;
  /** Tells all replicas, when `transaction` commits and only then, that a tenant's configuration moved. */
  announce(transaction: Transaction<Tables>, notice: ChangeNotice): Promise<void>;
  /** Runs `listener` after each commit, anywhere, that called `announceArrival`. Returns the function that stops it. */
  subscribeArrivals(listener: (notice: ArrivalNotice) => void): () => void;
  /** Tells all replicas, when `transaction` commits and only then, that there are new records of observed requests. */
  announceArrival(transaction: Transaction<Tables>, notice: ArrivalNotice): Promise<void>;
  /** Whether a trivial query answers and migrations are complete. */
  isReady(): Promise<boolean>;
  /** Finishes what runs and frees all connections and threads. */
  close(): Promise<void>;
}

/** A tenant's configuration moved to a revision. */
export interface ChangeNotice {
  readonly tenantId: string;
  readonly revision: number;
}

/** Records of observed requests arrived. Notices may be lost; who waits for records looks by itself from time to time. */
export interface ArrivalNotice {
  readonly tenantId: string;
  /** The number of the last record. */
  readonly arrival: number;
}
