/** Most write transactions that may wait for their turn; one more is refused at once. */
export const WAITING_TRANSACTIONS_MAX = 1_000;
/** Longest wait for a connection, milliseconds. */
export const ACQUIRE_TIMEOUT_MS = 30_000;
/** Most rows that one statement may give back; callers read in pages, so more is a bug. */
export const RESULT_ROWS_MAX = 50_000;
/** Threads that read from SQLite beside the one that writes. */
export const SQLITE_READERS = 2;
/** Threads that read snapshots from SQLite, apart from the others: a snapshot has a thread to itself for as long as it takes. */
export const SQLITE_SNAPSHOT_READERS = 2;
/** Most characters of text in one result from SQLite: it is held twice, by the thread that read it and by the main one. */
export const RESULT_CHARACTERS_MAX = 64 * 1024 * 1024;
/** PostgreSQL connections for writes and for reads. Apart, so that writers queueing for a tenant never stop reads. */
export const POSTGRES_CONNECTIONS_PER_POOL = 8;
/** How often a PostgreSQL transaction is run again after a deadlock or serialization failure. */
export const TRANSACTION_ATTEMPTS_MAX = 3;
/** Longest time that `isReady` waits for an answer, milliseconds. */
export const READY_TIMEOUT_MS = 2_000;
