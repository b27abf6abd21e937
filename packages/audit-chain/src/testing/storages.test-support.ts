import Database from 'better-sqlite3';
import pg from 'pg';
import { describe } from 'vitest';
import type { LogStorage } from '../log/log-storage.ts';
import { createMemoryStorage } from '../memory.ts';
import { createPostgresStorage } from '../postgres.ts';
import { createSqliteStorage } from '../sqlite.ts';

/** A storage with nothing in it, and its end. */
export interface OpenStorage {
  readonly storage: LogStorage;
  close(): Promise<void>;
}

const POSTGRES_URL = process.env['PORTCULLIS_TEST_POSTGRES_URL'];
const PREFIX = 'chain_log_';
let opened = 0;

async function openSqlite(): Promise<OpenStorage> {
  const database = new Database(':memory:');
  return {
    storage: createSqliteStorage(database, PREFIX),
    close: async () => void database.close(),
  };
}

/** In a schema of its own, which goes with it. */
async function openPostgres(): Promise<OpenStorage> {
  const schema = `audit_chain_${process.pid}_${opened++}`;
  const pool = new pg.Pool({ connectionString: POSTGRES_URL, options: `-c search_path=${schema}`, max: 4 });
  await pool.query(`CREATE SCHEMA ${schema}`);
  return {
    storage: await createPostgresStorage(pool, PREFIX),
    async close(): Promise<void> {
      await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      await pool.end();
    },
  };
}

/** The same cases over every storage. Without a PostgreSQL server its cases count as skipped. */
export function describeOnEachStorage(cases: (open: () => Promise<OpenStorage>) => void): void {
  describe('in memory', () => cases(async () => ({ storage: createMemoryStorage(), close: async () => {} })));
  describe('in SQLite', () => cases(openSqlite));
  describe.skipIf(POSTGRES_URL === undefined)('in PostgreSQL (PORTCULLIS_TEST_POSTGRES_URL)', () =>
    cases(openPostgres),
  );
}
