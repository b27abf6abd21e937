import { eventually } from '@portcullis/testkit';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { ConstraintViolationError, DatabaseStatementError, DatabaseUnavailableError } from './database-errors.ts';
import type { ChangeNotice, Executor } from './database.ts';
import { describeOnEachDatabase, silentLog } from './each-database.test-support.ts';
import { openDatabase } from './open-database.ts';

/** A statement that keeps a core busy for a good while, on either database. */
const longStatement = sql<{ n: number }>`
  with recursive counter(x) as (select 1 union all select x + 1 from counter where x < 5000000)
  select count(*) as n from counter`;

async function revisionOf(executor: Executor, tenantId: string): Promise<number | undefined> {
  const row = await executor
    .selectFrom('tenant_revisions')
    .select('revision')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row?.revision;
}

describeOnEachDatabase('the database', ({ dialect, database, url, fresh }) => {
  const insert = (executor: Executor, tenantId: string, revision = 1): Promise<unknown> =>
    executor.insertInto('tenant_revisions').values({ tenant_id: tenantId, revision }).execute();

  it('gives what the work gives, and readers see what was committed', async () => {
    const result = await database().transaction(async (transaction) => {
      await insert(transaction, 'committed', 7);
      expect(await revisionOf(transaction, 'committed')).toBe(7);
      expect(await revisionOf(database().read, 'committed')).toBeUndefined();
      return 'done';
    });
    expect(result).toBe('done');
    expect(await revisionOf(database().read, 'committed')).toBe(7);
  });

  it('leaves nothing behind when the work throws, and throws the same error', async () => {
    const failure = new Error('changed my mind');
    const attempt = database().transaction(async (transaction) => {
      await insert(transaction, 'rolled-back');
      throw failure;
    });
    await expect(attempt).rejects.toBe(failure);
    expect(await revisionOf(database().read, 'rolled-back')).toBeUndefined();
  });

  it('tells listeners after the commit, and never of what was rolled back', async () => {
    const heard: ChangeNotice[] = [];
    const stop = database().subscribe((notice) => heard.push(notice));
    const announceAnd = (tenantId: string, fail: boolean): Promise<void> =>
      database().transaction(async (transaction) => {
        await insert(transaction, tenantId);
        await database().announce(transaction, { tenantId, revision: 1 });
        expect(heard.filter((notice) => notice.tenantId === tenantId)).toEqual([]);
        if (fail) throw new Error('rolled back');
      });
    await expect(announceAnd('notice-lost', true)).rejects.toThrow('rolled back');
    await announceAnd('notice-kept', false);
    await eventually(() => heard.length > 0);
    expect(heard).toEqual([{ tenantId: 'notice-kept', revision: 1 }]);
    stop();
    const heardLater: ChangeNotice[] = [];
    const stopLater = database().subscribe((notice) => heardLater.push(notice));
    await announceAnd('notice-late', false);
    await eventually(() => heardLater.length > 0);
    expect(heard).toHaveLength(1);
    stopLater();
  });

  it('goes on telling the others when one listener throws', async () => {
    const heard: string[] = [];
    const stops = [
      database().subscribe(() => {
        throw new Error('a broken listener');
      }),
      database().subscribe((notice) => heard.push(notice.tenantId)),
    ];
    await database().transaction((transaction) =>
      database().announce(transaction, { tenantId: 'after-a-broken-one', revision: 2 }),
    );
    await eventually(() => heard.length > 0);
    for (const stop of stops) stop();
    expect(heard).toEqual(['after-a-broken-one']);
  });

  if (dialect === 'postgres') {
    it('connects again when the server ends its connections, and tells what was announced meanwhile', async () => {
      const heard: ChangeNotice[] = [];
      const stop = database().subscribe((notice) => heard.push(notice));
      const ended = await sql<{ ended: boolean }>`
        select pg_terminate_backend(pid) as ended from pg_stat_activity
        where datname = current_database() and application_name in ('portcullis-notices', 'portcullis-write')
      `.execute(database().read);
      expect(ended.rows.length).toBeGreaterThanOrEqual(2);
      const write = (): Promise<boolean> =>
        database().transaction(async (transaction) => {
          await insert(transaction, 'while-deaf', 3);
          await database().announce(transaction, { tenantId: 'while-deaf', revision: 3 });
          return true;
        });
      await eventually(write);
      await eventually(() => heard.some((notice) => notice.tenantId === 'while-deaf'));
      expect(heard).toContainEqual({ tenantId: 'while-deaf', revision: 3 });
      stop();
    });
  }

  it('refuses a transaction inside a transaction at once, and works on afterwards', async () => {
    const nested = database().transaction(() => database().transaction(async () => 'inner'));
    await expect(nested).rejects.toThrow('inside another one');
    expect(await database().transaction(async () => 'next')).toBe('next');
  });

  it('refuses writes outside a transaction', async () => {
    await expect(insert(database().read, 'not-in-a-transaction')).rejects.toThrow(/read-?only/);
    expect(await revisionOf(database().read, 'not-in-a-transaction')).toBeUndefined();
  });

  it('reads for others while snapshots are held', async () => {
    const held = Promise.withResolvers<void>();
    const begun: Promise<void>[] = [];
    const snapshots = [1, 2].map((place) => {
      const started = Promise.withResolvers<void>();
      begun.push(started.promise);
      return database().snapshot(async (executor) => {
        await revisionOf(executor, `held-${place}`);
        started.resolve();
        await held.promise;
      });
    });
    await Promise.all(begun);
    expect(await revisionOf(database().read, 'nobody')).toBeUndefined();
    held.resolve();
    await Promise.all(snapshots);
  });

  it('shows one state for the whole of a snapshot', async () => {
    await database().transaction((transaction) => insert(transaction, 'snapshot', 1));
    await database().snapshot(async (executor) => {
      expect(await revisionOf(executor, 'snapshot')).toBe(1);
      await database().transaction((transaction) =>
        transaction.updateTable('tenant_revisions').set({ revision: 2 }).where('tenant_id', '=', 'snapshot').execute(),
      );
      expect(await revisionOf(executor, 'snapshot')).toBe(1);
    });
    expect(await revisionOf(database().read, 'snapshot')).toBe(2);
  });

  it('gives 64-bit integers, counts and sums as numbers', async () => {
    await database().transaction((transaction) => insert(transaction, 'large', Number.MAX_SAFE_INTEGER));
    const row = await database()
      .read.selectFrom('tenant_revisions')
      .select((eb) => [eb.fn.max('revision').as('max'), eb.fn.countAll().as('count')])
      .select(sql`sum(revision)`.as('sum'))
      .where('tenant_id', '=', 'large')
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ max: Number.MAX_SAFE_INTEGER, count: 1, sum: Number.MAX_SAFE_INTEGER });
  });

  it('sorts text by its bytes, whatever the locale', async () => {
    const names = ['order:a', 'order:B', 'order:é', 'order:Z', 'order:😀', 'order:.', 'order:_'];
    await database().transaction(async (transaction) => {
      for (const name of names) await insert(transaction, name);
    });
    const rows = await database()
      .read.selectFrom('tenant_revisions')
      .select('tenant_id')
      .where('tenant_id', 'like', 'order:%')
      .orderBy('tenant_id')
      .execute();
    const byBytes = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(rows.map((row) => row.tenant_id)).toEqual(byBytes);
  });

  it.each([
    ['unique', (executor: Executor) => insert(executor, 'twice')],
    ['check', (executor: Executor) => insertResource(executor, { revision: 0 })],
    ['foreign_key', (executor: Executor) => insertKeyOfNobody(executor)],
    ['not_null', (executor: Executor) => insertResource(executor, { body: null as unknown as string })],
  ])('names a broken %s constraint the same way on both databases', async (kind, write) => {
    const attempt = database().transaction(async (transaction) => {
      if (kind === 'unique') await insert(transaction, 'twice');
      await write(transaction);
    });
    await expect(attempt).rejects.toSatisfy(
      (error) => error instanceof ConstraintViolationError && error.kind === kind,
    );
  });

  it('refuses a result beyond the cap and works on afterwards', async () => {
    const tooMany = sql`with recursive counter(x) as (select 1 union all select x + 1 from counter where x < 50001)
      select x from counter`;
    await expect(tooMany.execute(database().read)).rejects.toSatisfy(
      (error) => error instanceof DatabaseStatementError && error.databaseCode === 'RESULT_TOO_LARGE',
    );
    expect(await database().isReady()).toBe(true);
  });

  it.each(['read', 'write'] as const)('keeps the event loop free during a long %s', async (access) => {
    const startMs = performance.now();
    let tickMs = startMs;
    let longestGapMs = 0;
    const ticking = setInterval(() => {
      longestGapMs = Math.max(longestGapMs, performance.now() - tickMs);
      tickMs = performance.now();
    }, 5);
    if (access === 'read') await longStatement.execute(database().read);
    else await database().transaction((transaction) => longStatement.execute(transaction));
    const tookMs = performance.now() - startMs;
    clearInterval(ticking);
    expect(tookMs).toBeGreaterThan(100);
    expect(longestGapMs).toBeLessThan(tookMs / 2);
  });

  it('reads on while a long write runs', async () => {
    let writing = true;
    const write = database()
      .transaction((transaction) => longStatement.execute(transaction))
      .finally(() => (writing = false));
    await revisionOf(database().read, 'any');
    expect(writing).toBe(true);
    await write;
  });

  it('loses no update of many that run at once', async () => {
    await database().transaction((transaction) => insert(transaction, 'counter', 0));
    const raise = (): Promise<unknown> =>
      database().transaction((transaction) =>
        transaction
          .updateTable('tenant_revisions')
          .set((eb) => ({ revision: eb('revision', '+', 1) }))
          .where('tenant_id', '=', 'counter')
          .execute(),
      );
    await Promise.all(Array.from({ length: 40 }, raise));
    expect(await revisionOf(database().read, 'counter')).toBe(40);
  });

  it('opens an empty database from several sides at once, and later again, without running a step twice', async () => {
    const place = await fresh();
    const open = (): ReturnType<typeof openDatabase> => openDatabase({ url: place.url, log: silentLog });
    const opened = await Promise.all([open(), open(), open()]);
    expect(await Promise.all(opened.map((each) => each.isReady()))).toEqual([true, true, true]);
    await Promise.all(opened.map((each) => each.close()));
    const again = await open();
    expect(await again.isReady()).toBe(true);
    await again.close();
    await place.remove();
  });

  it('finishes what runs when it closes, and then says that it is closed', async () => {
    const other = await openDatabase({ url: url(), log: silentLog });
    const begun = Promise.withResolvers<void>();
    const running = other.transaction(async (transaction) => {
      begun.resolve();
      await insert(transaction, `closing-${dialect}`);
      return 'finished';
    });
    await begun.promise;
    const closing = other.close();
    expect(await running).toBe('finished');
    await closing;
    expect(await revisionOf(database().read, `closing-${dialect}`)).toBe(1);
    expect(await other.isReady()).toBe(false);
    await expect(other.transaction(async () => 'late')).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await other.close();
  });
});

it.each([
  ['mysql://someone:hunter2@db/x', 'must begin with'],
  ['sqlite:', 'needs the path'],
  ['sqlite::memory:', 'needs the path'],
])('refuses the address %s without repeating it', (url, message) => {
  const attempt = (): unknown => openDatabase({ url, log: silentLog });
  expect(attempt).toThrow(message);
  expect(attempt).not.toThrow('hunter2');
});

it.each(['sqlite:/nowhere/at/all.db', 'postgres://nobody:hunter2@127.0.0.1:1/none'])(
  'says that nothing answers at %s',
  async (url) => {
    const attempt = openDatabase({ url, log: silentLog });
    await expect(attempt).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await expect(attempt).rejects.not.toThrow('hunter2');
  },
);

function insertResource(executor: Executor, change: { revision?: number; body?: string }): Promise<unknown> {
  const row = { tenant_id: 't', family: 'f', id: 'i', gateway_id: null, name: null, enabled: 1, secrets: null };
  return executor
    .insertInto('resources')
    .values({ ...row, revision: 1, created_at: 1, updated_at: 1, body: '{}', tenant_revision: 0, ...change })
    .execute();
}

function insertKeyOfNobody(executor: Executor): Promise<unknown> {
  const row = { family: 'f', key_name: 'k', scope: '', value: 'v', tenant_id: 't', id: 'nobody' };
  return executor.insertInto('resource_keys').values(row).execute();
}
