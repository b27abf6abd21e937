import { Kysely, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { ArrivalNotice, ChangeNotice, Database } from '../database.ts';
import type { DatabaseLog } from '../database-log.ts';
import { ACQUIRE_TIMEOUT_MS, POSTGRES_CONNECTIONS_PER_POOL, TRANSACTION_ATTEMPTS_MAX } from '../database-limits.ts';
import { executeLater } from '../deferred-statement.ts';
import { expectNewestSchema, migrate } from '../migrations/migrate.ts';
import { NoticeBoard } from '../notice-board.ts';
import { isAnswering } from '../readiness.ts';
import type { Tables } from '../tables.ts';
import { TransactionScope } from '../transaction-scope.ts';
import { ARRIVAL_CHANNEL, CHANGE_CHANNEL, ChangeListener, formatArrival, formatNotice } from './change-listener.ts';
import { columnTypes } from './column-types.ts';
import { PoolDialect } from './pool-dialect.ts';
import { isRepeatable } from './postgres-error.ts';
import { postgresTraits } from './postgres-traits.ts';

/** Longest wait for a lock, and longest pause inside a transaction, milliseconds: one stuck writer must not stop all. */
const LOCK_TIMEOUT_MS = 30_000;
const IDLE_IN_TRANSACTION_MS = 60_000;
/** How long before a statement's answer is given up the server is to end the statement by itself, milliseconds. */
const SERVER_ENDS_EARLIER_MS = 500;

/**
 * Longest wait for the answer to one statement, milliseconds. A connection that gives none by then is closed: one that went
 * half open would keep its place in the pool for ever. A write may have to wait for a lock first.
 */
export interface AnswerLimits {
  readonly readMs: number;
  readonly writeMs: number;
}

/** What holds outside tests. */
export const standardAnswerLimits: AnswerLimits = { readMs: 10_000, writeMs: LOCK_TIMEOUT_MS + 10_000 };

/**
 * Connects to PostgreSQL 15 or newer: a pool for writes, one for reads, and one connection for notices.
 * Writes run READ COMMITTED with explicit locks. `transaction` runs its work again after a deadlock or serialization
 * failure, so the work must do nothing outside the database that cannot be done twice.
 * @param isExisting whether its tables are not to be made or changed
 * @throws DatabaseUnavailableError when the server cannot be reached
 */
export async function openPostgres(
  url: string,
  log: DatabaseLog,
  { readMs, writeMs }: AnswerLimits = standardAnswerLimits,
  isExisting = false,
): Promise<Database> {
  const pools = { write: createPool(url, 'write', writeMs, log), read: createPool(url, 'read', readMs, log) };
  const writer = new Kysely<Tables>({ dialect: new PoolDialect(pools.write, 'write') });
  const read = new Kysely<Tables>({ dialect: new PoolDialect(pools.read, 'read') });
  const board = new NoticeBoard<ChangeNotice>(log);
  const arrivals = new NoticeBoard<ArrivalNotice>(log);
  const listener = new ChangeListener({
    url,
    log,
    deliver: (notice) => board.deliver(notice),
    deliverArrival: (notice) => arrivals.deliver(notice),
  });
  let closed: Promise<unknown> | undefined;
  const close = async (): Promise<void> => {
    // The pools themselves: Kysely's destroy does nothing for one that was never used.
    closed ??= listener.stop().then(() => Promise.all([pools.read.end(), pools.write.end()]));
    await closed;
  };
  try {
    await (isExisting ? expectNewestSchema(writer) : migrate(writer, postgresTraits, log));
    await listener.start();
  } catch (error) {
    await close();
    throw error;
  }
  const scope = new TransactionScope();
  return {
    dialect: 'postgres',
    read,
    transaction: (work) => scope.run(() => repeatedly(writer, work)),
    snapshot: (work) => read.transaction().execute(work),
    subscribe: (subscriber) => board.subscribe(subscriber),
    announce: (transaction, notice) => notify(transaction, CHANGE_CHANNEL, formatNotice(notice)),
    subscribeArrivals: (subscriber) => arrivals.subscribe(subscriber),
    announceArrival: (transaction, notice) => notify(transaction, ARRIVAL_CHANNEL, formatArrival(notice)),
    isReady: () => isAnswering(read),
    close,
  };
}

async function notify(transaction: Transaction<Tables>, channel: string, payload: string): Promise<void> {
  const call = sql`pg_notify(${channel}, ${payload})`;
  await executeLater(transaction, transaction.selectNoFrom(call.as('notify')));
}

function createPool(url: string, access: 'write' | 'read', answerMs: number, log: DatabaseLog): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: `portcullis-${access}`,
    max: POSTGRES_CONNECTIONS_PER_POOL,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    keepAlive: true,
    // Statements that were held back are sent together with the one that they precede. And only in this mode does the driver
    // close a connection whose answer does not come in time.
    pipeline: true,
    query_timeout: answerMs,
    statement_timeout: Math.max(1, answerMs - SERVER_ENDS_EARLIER_MS),
    types: columnTypes(),
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    ...(access === 'read' ? { options: '-c default_transaction_read_only=on' } : {}),
  });
  // An 'error' event that nobody listens to ends the process. The pool listens to connections only while they are idle; one
  // that the server ends inside a transaction, between two statements, tells it in no other way.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ reason: error.message, access }, 'lost a database connection'));
  });
  // Said already by the connection itself.
  pool.on('error', () => undefined);
  return pool;
}

async function repeatedly<Result>(
  writer: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writer.transaction().execute(work);
    } catch (error) {
      if (attempt >= TRANSACTION_ATTEMPTS_MAX || !isRepeatable(error)) throw error;
    }
  }
}
