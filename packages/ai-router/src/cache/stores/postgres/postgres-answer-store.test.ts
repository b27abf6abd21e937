import { PGlite } from '@electric-sql/pglite';
import { vector as pgvector } from '@electric-sql/pglite-pgvector';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ContractWorld, describeAnswerStore } from '../answer-store.contract.test-support.ts';
import { contractClock, entryOf, vectorOfSeed } from '../contract-entries.test-support.ts';
import { PostgresAnswerStore } from './postgres-answer-store.ts';
import { ASK_AGAIN_MS } from './postgres-setup.ts';
import { openPool, pgliteSql, type TestSql, withoutVectors } from './postgres.test-support.ts';
import { vectorText } from './rows.ts';
import { readLike, TABLE } from './sql-texts.ts';

const POSTGRES_URL = process.env['PORTCULLIS_TEST_POSTGRES_URL'];

/** Each world is empty: the table is dropped, so that each makes it, too. */
async function emptied(sql: TestSql): Promise<TestSql> {
  await sql.query(`DROP TABLE IF EXISTS ${TABLE}`, []);
  return sql;
}

const traits = { isShared: true, hasSpaces: true, isBounded: true };

/** Sweeps at each put, so that bounds are kept to exactly. */
const worldOf = (sql: TestSql, usesIndex: boolean) => async (): Promise<ContractWorld> => {
  await emptied(sql);
  return {
    open: ({ clock, space = 'acme', bounds }) =>
      new PostgresAnswerStore({
        ...{ sql, clock, space, usesIndex, putsPerSweep: 1 },
        allowsScan: !usesIndex,
        ...(bounds && { bounds }),
      }),
    [Symbol.asyncDispose]: async () => undefined,
  };
};

describe('with pgvector (PGlite)', () => {
  let database: PGlite;
  const sql: TestSql = { query: async (text, values) => pgliteSql(database).query(text, values) };
  beforeAll(async () => {
    database = await PGlite.create({ extensions: { vector: pgvector } });
  }, 120_000);
  afterAll(async () => {
    await database.close();
  });

  describeAnswerStore('PostgreSQL with pgvector', traits, worldOf(sql, true));

  it('looks at the rows of the partition, and not at the whole table', async () => {
    await emptied(sql);
    const clock = contractClock();
    const store = new PostgresAnswerStore({ sql, clock, space: 'acme', usesIndex: true, allowsScan: false });
    await store.put(entryOf({ seed: 1, clock }));
    await sql.query(
      `INSERT INTO ${TABLE} (space, key, partition, prompt, provider, model, body, stored_at, expires_at, bytes)
       SELECT 'acme', i::text, 'partition ' || i % 200, '""', '', '', '', 0, 9000000000000, 10 FROM generate_series(1, 4000) i`,
      [],
    );
    await sql.query(`ANALYZE ${TABLE}`, []);
    const values = ['acme', 'partition 7', clock.ms, vectorText(vectorOfSeed(1), '[]'), 16, 5, 0.9, 1000];
    const { rows } = await sql.query(`EXPLAIN ${readLike}`, values);
    const plan = JSON.stringify(rows);
    expect(plan).toContain(`${TABLE}_partition`);
    expect(plan).not.toContain('Seq Scan');
  });
});

describe.skipIf(POSTGRES_URL === undefined)(
  'on a server as if it had no pgvector (PORTCULLIS_TEST_POSTGRES_URL)',
  () => {
    let sql: TestSql & AsyncDisposable;
    beforeAll(async () => {
      sql = withoutVectors(await openPool(POSTGRES_URL ?? ''));
    });
    afterAll(async () => {
      await sql[Symbol.asyncDispose]();
    });

    describeAnswerStore('PostgreSQL by comparing one by one', traits, () => worldOf(sql, false)());

    it.each([
      [true, 'compares one by one'],
      [false, 'fails'],
    ])('vectors by index: allow_scan_fallback %s %s', async (allowsScan) => {
      await emptied(sql);
      const clock = contractClock();
      const store = new PostgresAnswerStore({ sql, clock, space: 'acme', usesIndex: true, allowsScan });
      const entry = entryOf({ seed: 1, clock });
      await store.put(entry);
      const { partition } = entry;
      const found = store.findLike({ partition, vector: vectorOfSeed(1), similarityMin: 0.9, limit: 5 });
      if (allowsScan) expect((await found).map(({ key }) => key)).toEqual([entry.key]);
      else await expect(found).rejects.toMatchObject({ code: 'no_index' });
      expect(await store.get(entry.key)).toEqual(entry.answer);
    });

    it('asks for the extension again after a while, and not with each search', async () => {
      await emptied(sql);
      const clock = contractClock();
      const asked: string[] = [];
      const counting: TestSql = {
        query: (text, values) => {
          if (text.includes('pg_extension')) asked.push(text);
          return sql.query(text, values);
        },
      };
      const store = new PostgresAnswerStore({ sql: counting, clock, space: 'acme', usesIndex: true, allowsScan: true });
      const query = { partition: 'p', vector: vectorOfSeed(1), similarityMin: 0.9, limit: 5 };
      for (let search = 0; search < 3; search += 1) await store.findLike(query);
      const [before] = [asked.length];
      clock.ms += ASK_AGAIN_MS;
      await store.findLike(query);
      expect([before, asked.length]).toEqual([2, 4]);
    });

    it('many processes may begin at once', async () => {
      await emptied(sql);
      const clock = contractClock();
      const stores = Array.from(
        { length: 8 },
        () => new PostgresAnswerStore({ sql, clock, space: 'acme', usesIndex: false, allowsScan: true }),
      );
      await Promise.all(stores.map((store, seed) => store.put(entryOf({ seed, clock }))));
      const kept = await Promise.all(stores.map((store, seed) => store.get(entryOf({ seed }).key)));
      expect(kept.every((answer) => answer !== undefined)).toBe(true);
    });

    it('a user who may not make tables uses the one that is there', async () => {
      await emptied(sql);
      const clock = contractClock();
      const owner = new PostgresAnswerStore({ sql, clock, space: 'acme', usesIndex: false, allowsScan: true });
      await owner.put(entryOf({ seed: 1, clock }));
      await using guest = await openPool(POSTGRES_URL ?? '', 'portcullis_cache_guest');
      const store = new PostgresAnswerStore({ sql: guest, clock, space: 'acme', usesIndex: true, allowsScan: true });
      await store.put(entryOf({ seed: 2, clock }));
      expect(await store.get(entryOf({ seed: 1 }).key)).toBeDefined();
      expect(await owner.get(entryOf({ seed: 2 }).key)).toBeDefined();
    });
  },
);

it('a database that fails is unavailable, says nothing of where it is, and is tried again', async () => {
  let isDown = true;
  const sql: TestSql = {
    query: (text) => {
      if (isDown) return Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1:5432'));
      return Promise.resolve({ rows: text.includes('to_regclass') ? [{ there: true }] : [] });
    },
  };
  const clock = contractClock();
  const store = new PostgresAnswerStore({ sql, clock, space: 'acme', usesIndex: true, allowsScan: true });
  for (const call of [() => store.get('k'), () => store.put(entryOf({ seed: 1, clock }))]) {
    const failure: unknown = await call().catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'AnswerStoreError', code: 'unavailable' });
    expect(String(failure)).not.toContain('10.0.0.1');
  }
  isDown = false;
  expect(await store.get('k')).toBeUndefined();
});
