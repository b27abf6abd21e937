import type { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import type { CacheSql } from '../data-ports.ts';
import { TABLE } from './sql-texts.ts';

/** PostgreSQL without time-outs: a busy machine makes tests slow, not wrong. */
export interface TestSql extends CacheSql {
  query(
    text: string,
    values: readonly unknown[],
  ): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

export function pgliteSql(database: PGlite): TestSql {
  return {
    query: async (text, values) => ({ rows: (await database.query<Record<string, unknown>>(text, [...values])).rows }),
  };
}

/**
 * Connections to a schema of its own on a real server; disposing of them drops it.
 * @param guest a user who may use the table of the schema `public_guest` and nothing else
 */
export async function openPool(url: string, guest?: string): Promise<TestSql & AsyncDisposable> {
  const schema = `test_ai_cache_${process.pid}`;
  const options = `-c search_path=${schema}`;
  const owner = new pg.Pool({ connectionString: url, max: 4, options });
  await owner.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  if (guest === undefined) {
    return {
      query: (text, values) => owner.query<Record<string, unknown>>(text, [...values]),
      [Symbol.asyncDispose]: async () => {
        await owner.query(`DROP SCHEMA ${schema} CASCADE`);
        await owner.end();
      },
    };
  }
  const role = `${guest}_${process.pid}`;
  await owner.query(`CREATE ROLE ${role}`);
  await owner.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
  await owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${TABLE} TO ${role}`);
  const pool = new pg.Pool({ connectionString: url, max: 1, options: `${options} -c role=${role}` });
  return {
    query: (text, values) => pool.query<Record<string, unknown>>(text, [...values]),
    [Symbol.asyncDispose]: async () => {
      await pool.end();
      await owner.query(`DROP OWNED BY ${role}`);
      await owner.query(`DROP ROLE ${role}`);
      await owner.end();
    },
  };
}

/** A server as it is without the extension for vectors, whether it has it or not. */
export function withoutVectors(sql: TestSql & AsyncDisposable): TestSql & AsyncDisposable {
  return {
    query: (text, values) => {
      if (text.startsWith('CREATE EXTENSION')) return Promise.reject(new Error('extension "vector" is not available'));
      return text.includes('pg_extension') ? Promise.resolve({ rows: [] }) : sql.query(text, values);
    },
    [Symbol.asyncDispose]: () => sql[Symbol.asyncDispose](),
  };
}
