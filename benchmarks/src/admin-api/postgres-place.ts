import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { charactersOf, tablesOfCreate } from './database-place.ts';
import type { DatabasePlace } from './database-place.ts';

/** A fresh database on a PostgreSQL server; the bare rows go into a table of that database. */
export async function postgresPlace(serverUrl: string): Promise<DatabasePlace> {
  const name = `portcullis_bench_${randomBytes(8).toString('hex')}`;
  await statement(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  // In a schema of its own, so that the control plane finds its own place empty.
  await statement(
    url.href,
    'create schema bare; create table bare.rows (id bigserial primary key, payload text not null)',
  );
  const pools = new Map<number, pg.Pool>();
  const poolOf = (writers: number): pg.Pool => {
    const known = pools.get(writers);
    if (known !== undefined) return known;
    const made = new pg.Pool({ connectionString: url.href, max: writers });
    pools.set(writers, made);
    return made;
  };
  return {
    kind: 'postgres',
    url: url.href,
    rowCharacters: async (id) => {
      const found = await Promise.all(
        tablesOfCreate.map(([table, column]) =>
          poolOf(1).query<Record<string, unknown>>(`select * from ${table} where ${column} = $1`, [id]),
        ),
      );
      return charactersOf(found.flatMap(({ rows }) => rows));
    },
    insertRows: async (rows, characters, writers) => {
      const payload = 'x'.repeat(characters);
      const pool = poolOf(writers);
      const clients = await Promise.all(Array.from({ length: writers }, () => pool.connect()));
      const insert = { name: 'insert', text: 'insert into bare.rows (payload) values ($1)', values: [payload] };
      let left = rows;
      const startMs = performance.now();
      await Promise.all(
        clients.map(async (client) => {
          while (left-- > 0) await client.query(insert);
        }),
      );
      const seconds = (performance.now() - startMs) / 1000;
      for (const client of clients) client.release();
      return seconds;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...pools.values()].map((pool) => pool.end()));
      await statement(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

async function statement(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
