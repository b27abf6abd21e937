import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
} from 'kysely';
import { DatabaseStatementError } from '../database-errors.ts';
import { DEFERRED_STATEMENTS_MAX, isDeferred } from '../deferred-statement.ts';
import { sqliteTraits } from './sqlite-traits.ts';
import type { ThreadLease, ThreadPool } from './thread-pool.ts';
import type { SqliteCommand, SqliteResult } from './worker-protocol.ts';

/** Kysely's view of a pool of SQLite threads. */
export class ThreadDialect implements Dialect {
  readonly #pool: ThreadPool;

  constructor(pool: ThreadPool) {
    this.#pool = pool;
  }

  createDriver(): Driver {
    return new ThreadDriver(this.#pool);
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): SqliteAdapter {
    return new ThreadAdapter();
  }

  createIntrospector(database: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(database);
  }
}

class ThreadAdapter extends SqliteAdapter {
  readonly traits = sqliteTraits;

  /** The pool queues by itself; Kysely's own queue would hand out one connection at a time to all readers. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** Migrations run in one transaction, which also keeps out another process that starts on the same file. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ThreadDriver implements Driver {
  readonly #pool: ThreadPool;

  constructor(pool: ThreadPool) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<ThreadConnection> {
    return new ThreadConnection(await this.#pool.acquire());
  }

  async beginTransaction(connection: ThreadConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: ThreadConnection): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: ThreadConnection): Promise<void> {
    await connection.rollback();
  }

  async releaseConnection(connection: ThreadConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    await this.#pool.close();
  }
}

/**
 * Requests of held back commands that are under way at once: while the thread works on one, the next is packed. Each is
 * bounded by `DEFERRED_STATEMENTS_MAX`.
 */
const REQUESTS_AHEAD_MAX = 2;

class ThreadConnection implements DatabaseConnection {
  readonly #lease: ThreadLease;
  #inTransaction = false;
  /** Commands that go with the next one. */
  #heldBack: SqliteCommand[] = [];
  /** Requests that nobody waits for yet; the thread does them in this order. */
  #ahead: Promise<SqliteResult>[] = [];

  constructor(lease: ThreadLease) {
    this.#lease = lease;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { sql, parameters } = query;
    const command: SqliteCommand = { kind: 'execute', sql, parameters, inTransaction: this.#inTransaction };
    if (isDeferred(query)) {
      this.#heldBack.push(command);
      if (this.#heldBack.length >= DEFERRED_STATEMENTS_MAX) await this.#sendAhead();
      return { rows: [] };
    }
    const { rows, changes } = await this.#send(command);
    if (changes === undefined) return { rows: rows as Row[] };
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  // oxlint-disable-next-line require-yield -- the interface wants a generator, and there is nothing to give
  async *streamQuery<Row>(): AsyncGenerator<QueryResult<Row>, void> {
    throw new DatabaseStatementError('STREAM', 'rows cannot be streamed from SQLite threads; read in pages');
  }

  /** The transaction begins with its first statement. */
  async begin(): Promise<void> {
    this.#heldBack.push({ kind: 'begin' });
    this.#inTransaction = true;
  }

  async commit(): Promise<void> {
    await this.#send({ kind: 'commit' });
    this.#inTransaction = false;
  }

  async rollback(): Promise<void> {
    this.#inTransaction = false;
    this.#heldBack = [];
    await Promise.allSettled(this.#ahead.splice(0));
    // With its thread the transaction is gone too; the error that ended it is what the caller should see.
    if (this.#lease.thread.alive) await this.#lease.thread.request({ kind: 'rollback' });
  }

  /** Sends what is held back without waiting for it, unless too much is on its way. Throws what was sent before threw. */
  async #sendAhead(): Promise<void> {
    if (this.#ahead.length >= REQUESTS_AHEAD_MAX) await this.#ahead.shift();
    const request = this.#lease.thread.request(...this.#heldBack);
    this.#heldBack = [];
    // Whoever waits for the next statement hears of it; until then it is nobody's unhandled rejection.
    request.catch(() => undefined);
    this.#ahead.push(request);
  }

  /** A statement that follows one that failed is not sent, a commit least of all. */
  async #send(command: SqliteCommand): Promise<SqliteResult> {
    for (const request of this.#ahead.splice(0)) await request;
    const commands = [...this.#heldBack, command];
    this.#heldBack = [];
    return this.#lease.thread.request(...commands);
  }

  release(): void {
    this.#lease.release();
  }
}
