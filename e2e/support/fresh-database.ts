import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** An empty PostgreSQL database of a test's own. Disposing of it removes it with all in it. */
export interface FreshDatabase extends AsyncDisposable {
  readonly url: string;
  /** Reads behind the control plane's back. */
  rows(statement: string, ...values: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

/** @param serverUrl address of a server on which databases may be made */
export async function freshDatabase(serverUrl: string): Promise<FreshDatabase> {
  const name = `portcullis_e2e_${randomBytes(8).toString('hex')}`;
  await query(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    rows: (statement, ...values) => query(url.href, statement, values),
    [Symbol.asyncDispose]: async () => {
      await query(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

async function query(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}
