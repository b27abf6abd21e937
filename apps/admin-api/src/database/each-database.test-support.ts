import { randomBytes } from 'node:crypto';
import { temporaryFolder } from '@portcullis/testkit';
import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import type { Database } from './database.ts';
import type { DatabaseLog } from './database-log.ts';
import { openDatabase } from './open-database.ts';

/** A fresh, empty database of a test's own. */
export interface DatabaseUnderTest {
  /** For a second connection to the same data. */
  readonly url: string;
  /** Removes it with all in it. */
  remove(): Promise<void>;
}

/** What the cases get. The database is opened once for all cases of a suite: they use tenants of their own. */
export interface SuiteContext {
  readonly dialect: Database['dialect'];
  readonly database: () => Database;
  readonly url: () => string;
  /** Makes another empty database of the same kind. */
  readonly fresh: () => Promise<DatabaseUnderTest>;
}

const POSTGRES_URL = process.env['PORTCULLIS_TEST_POSTGRES_URL'];

/** A log for tests that do not look at it. */
export const silentLog: DatabaseLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Runs the same cases on SQLite, always, and on PostgreSQL when `PORTCULLIS_TEST_POSTGRES_URL` names a server. */
export function describeOnEachDatabase(title: string, cases: (context: SuiteContext) => void): void {
  describe(`${title} on SQLite`, () => suite('sqlite', freshSqlite, cases));
  const reason = POSTGRES_URL === undefined ? ' (skipped: PORTCULLIS_TEST_POSTGRES_URL is not set)' : '';
  describe.skipIf(POSTGRES_URL === undefined)(`${title} on PostgreSQL${reason}`, () =>
    suite('postgres', () => freshPostgres(POSTGRES_URL ?? ''), cases),
  );
}

function suite(
  dialect: Database['dialect'],
  fresh: () => Promise<DatabaseUnderTest>,
  cases: (context: SuiteContext) => void,
): void {
  let place: DatabaseUnderTest | undefined;
  let database: Database | undefined;
  beforeAll(async () => {
    place = await fresh();
    database = await openDatabase({ url: place.url, log: silentLog });
  });
  afterAll(async () => {
    await database?.close();
    await place?.remove();
  });
  const existing = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error('the database is there only while cases run');
    return value;
  };
  cases({ dialect, database: () => existing(database), url: () => existing(place).url, fresh });
}

async function freshSqlite(): Promise<DatabaseUnderTest> {
  const folder = await temporaryFolder();
  return { url: `sqlite:${folder.join('portcullis.db')}`, remove: () => folder.remove() };
}

/** Makes an empty database on a server, for cases that only PostgreSQL has. */
export async function freshPostgres(serverUrl: string): Promise<DatabaseUnderTest> {
  const name = `portcullis_test_${randomBytes(8).toString('hex')}`;
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await run(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, remove: () => run(`drop database if exists ${name} with (force)`) };
}
