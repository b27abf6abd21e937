import { existsSync } from 'node:fs';
import { Kysely, type Transaction } from 'kysely';
import type { ArrivalNotice, ChangeNotice, Database } from '../database.ts';
import type { DatabaseLog } from '../database-log.ts';
import { DatabaseConfigurationError } from '../database-errors.ts';
import { RESULT_CHARACTERS_MAX, RESULT_ROWS_MAX, SQLITE_READERS, SQLITE_SNAPSHOT_READERS } from '../database-limits.ts';
import { expectNewestSchema, migrate } from '../migrations/migrate.ts';
import { NoticeBoard } from '../notice-board.ts';
import { isAnswering } from '../readiness.ts';
import type { Tables } from '../tables.ts';
import { TransactionScope } from '../transaction-scope.ts';
import { sqliteTraits } from './sqlite-traits.ts';
import { SqliteThread } from './sqlite-thread.ts';
import { ThreadDialect } from './thread-dialect.ts';
import { ThreadPool } from './thread-pool.ts';

/**
 * Opens a file: one thread writes, two read, two read snapshots once there are any. Notices go to this process alone, since no other may use the file.
 * @param isExisting whether neither the file nor its tables are to be made or changed
 * @throws DatabaseUnavailableError when the file cannot be opened, the database's error when it cannot be migrated
 */
export async function openSqlite(path: string, log: DatabaseLog, isExisting = false): Promise<Database> {
  if (isExisting && !existsSync(path)) throw new DatabaseConfigurationError(`there is no database at ${path}`);
  const poolOf = (access: 'write' | 'read', size: number): ThreadPool =>
    new ThreadPool(size, () =>
      SqliteThread.start({ path, access, rowsMax: RESULT_ROWS_MAX, charactersMax: RESULT_CHARACTERS_MAX }, (error) =>
        log.error({ err: error, access }, 'a SQLite thread ended; the next statement starts another'),
      ),
    );
  const pools = {
    write: poolOf('write', 1),
    read: poolOf('read', SQLITE_READERS),
    snapshot: poolOf('read', SQLITE_SNAPSHOT_READERS),
  };
  const writer = new Kysely<Tables>({ dialect: new ThreadDialect(pools.write) });
  try {
    await (isExisting ? expectNewestSchema(writer) : migrate(writer, sqliteTraits, log));
  } catch (error) {
    await pools.write.close();
    throw error;
  }
  const read = new Kysely<Tables>({ dialect: new ThreadDialect(pools.read) });
  const snapshots = new Kysely<Tables>({ dialect: new ThreadDialect(pools.snapshot) });
  const board = new NoticeBoard<ChangeNotice>(log);
  const arrivals = new NoticeBoard<ArrivalNotice>(log);
  const scope = new TransactionScope();
  /** What is to be done once a transaction is committed. */
  const announced = new WeakMap<Transaction<Tables>, (() => void)[]>();
  const whenCommitted = (transaction: Transaction<Tables>, deliver: () => void): void => {
    const deliveries = announced.get(transaction);
    if (deliveries === undefined) throw new TypeError('announce needs a transaction that this database began');
    deliveries.push(deliver);
  };
  return {
    dialect: 'sqlite',
    read,
    async transaction(work) {
      const deliveries: (() => void)[] = [];
      const result = await scope.run(() =>
        writer.transaction().execute((transaction) => {
          announced.set(transaction, deliveries);
          return work(transaction);
        }),
      );
      for (const deliver of deliveries) deliver();
      return result;
    },
    snapshot: (work) => snapshots.transaction().execute(work),
    subscribe: (listener) => board.subscribe(listener),
    async announce(transaction, notice) {
      whenCommitted(transaction, () => board.deliver(notice));
    },
    subscribeArrivals: (listener) => arrivals.subscribe(listener),
    async announceArrival(transaction, notice) {
      whenCommitted(transaction, () => arrivals.deliver(notice));
    },
    isReady: () => isAnswering(read),
    async close() {
      // The pools themselves: Kysely's destroy does nothing for one that was never used. Readers first: the last
      // connection to close moves the log into the file, and only the writer may.
      await Promise.all([pools.read.close(), pools.snapshot.close()]);
      await pools.write.close();
    },
  };
}
