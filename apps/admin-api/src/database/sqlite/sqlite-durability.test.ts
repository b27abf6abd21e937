import type { Worker } from 'node:worker_threads';
import { temporaryFolder } from '@portcullis/testkit';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { silentLog } from '../each-database.test-support.ts';
import { openDatabase } from '../open-database.ts';

/** 40,000 rows of 20 kB: within the cap on rows, far beyond the one on text. */
const hugeResult = sql`with recursive counter(x) as (select 1 union all select x + 1 from counter where x < 40000)
  select printf('%.*c', 20000, 'x') || x as filler from counter`;

/** Keeps a thread busy until it is ended from outside. */
const endlessStatement = sql`with recursive counter(x) as (select 1 union all select x + 1 from counter)
  select count(*) from counter`;

/** Ends all SQLite threads of one kind, as a crash would, while `use` runs. */
async function withKillSwitch(
  use: (kill: (access: 'read' | 'write') => Promise<void>) => Promise<void>,
): Promise<void> {
  const workers: Worker[] = [];
  const collect = (worker: Worker): void => void workers.push(worker);
  process.on('worker', collect);
  const kill = async (access: 'read' | 'write'): Promise<void> => {
    await Promise.all(
      workers.filter((worker) => worker.threadName === `sqlite-${access}`).map((worker) => worker.terminate()),
    );
  };
  await use(kill).finally(() => process.off('worker', collect));
}

async function withDatabase(url: string, use: (database: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase({ url, log: silentLog });
  try {
    await use(database);
  } finally {
    await database.close();
  }
}

describe('SQLite', () => {
  it('runs with full durability, foreign keys and a write-ahead log on the first open and on every later one', async () => {
    await using folder = await temporaryFolder();
    for (const _open of ['first', 'second', 'third']) {
      await withDatabase(`sqlite:${folder.join('data.db')}`, async (database) => {
        await database.transaction(async (transaction) => {
          expect((await sql`pragma synchronous`.execute(transaction)).rows).toEqual([{ synchronous: 2 }]);
          expect((await sql`pragma foreign_keys`.execute(transaction)).rows).toEqual([{ foreign_keys: 1 }]);
          expect((await sql`pragma journal_mode`.execute(transaction)).rows).toEqual([{ journal_mode: 'wal' }]);
        });
        expect((await sql`pragma synchronous`.execute(database.read)).rows).toEqual([{ synchronous: 2 }]);
      });
    }
  });

  it('keeps wrong types out of its columns', async () => {
    await using folder = await temporaryFolder();
    await withDatabase(`sqlite:${folder.join('data.db')}`, async (database) => {
      const attempt = database.transaction((transaction) =>
        sql`insert into tenant_revisions (tenant_id, revision) values ('acme', 'many')`.execute(transaction),
      );
      await expect(attempt).rejects.toThrow(/INTEGER/);
    });
  });

  it('refuses a result whose text would fill the memory, and works on', async () => {
    await using folder = await temporaryFolder();
    await withDatabase(`sqlite:${folder.join('data.db')}`, async (database) => {
      await expect(hugeResult.execute(database.read)).rejects.toThrow('characters');
      expect(await database.isReady()).toBe(true);
    });
  });

  it('survives the end of a reading thread: the query fails, the next one gets a new thread', async () => {
    await using folder = await temporaryFolder();
    await withKillSwitch((kill) =>
      withDatabase(`sqlite:${folder.join('data.db')}`, async (database) => {
        await database.isReady();
        const query = endlessStatement.execute(database.read);
        const [outcome] = await Promise.allSettled([query, kill('read')]);
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'database_unavailable' } });
        expect(await database.isReady()).toBe(true);
      }),
    );
  });

  it('survives the end of the writing thread: its transaction is gone whole, the one that waits runs', async () => {
    await using folder = await temporaryFolder();
    await withKillSwitch((kill) =>
      withDatabase(`sqlite:${folder.join('data.db')}`, async (database) => {
        const insert = (tenantId: string, between: () => Promise<void>): Promise<unknown> =>
          database.transaction(async (transaction) => {
            await transaction.insertInto('tenant_revisions').values({ tenant_id: tenantId, revision: 1 }).execute();
            await between();
            await transaction
              .insertInto('changes')
              .values({ ...change, tenant_id: tenantId })
              .execute();
          });
        const outcomes = await Promise.allSettled([
          insert('lost', () => kill('write')),
          insert('survivor', async () => undefined),
        ]);
        expect(outcomes).toMatchObject([
          { status: 'rejected', reason: { code: 'database_unavailable' } },
          { status: 'fulfilled' },
        ]);
        const revisions = await database.read.selectFrom('tenant_revisions').select('tenant_id').execute();
        const changes = await database.read.selectFrom('changes').select('tenant_id').execute();
        expect(revisions).toEqual([{ tenant_id: 'survivor' }]);
        expect(changes).toEqual([{ tenant_id: 'survivor' }]);
      }),
    );
  });
});

const change = {
  revision: 1,
  position: 0,
  gateway_id: null,
  family: 'f',
  id: 'i',
  action: 'create',
  changed_at: 1,
} as const;
