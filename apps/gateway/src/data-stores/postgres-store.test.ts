import { type AddressInfo, createServer, type Socket } from 'node:net';
import { eventually, freePort } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { type DataStoreAddress, readDataStoreAddress } from './data-store-address.ts';
import { openDataStores, type OpenDataStores } from './open-data-stores.ts';

const POSTGRES_URL = process.env['PORTCULLIS_TEST_POSTGRES_URL'];

const addressOf = (text: string): DataStoreAddress => {
  const outcome = readDataStoreAddress(text);
  if ('mistake' in outcome) throw new Error(outcome.mistake);
  return outcome.address;
};

/** The database of an address, and the lines that it logs. */
async function open(text: string): Promise<
  AsyncDisposable & {
    readonly lines: unknown[];
    readonly opened: OpenDataStores;
    readonly sql: NonNullable<OpenDataStores['stores']['sql']>;
  }
> {
  const lines: unknown[] = [];
  const log = {
    info: (details: object, message: string) => void lines.push([message, details]),
    warn: (details: object, message: string) => void lines.push([message, details]),
  };
  const opened = await openDataStores(addressOf(text), log);
  const { sql } = opened.stores;
  if (sql === undefined) throw new Error('no PostgreSQL');
  return { lines, opened, sql, [Symbol.asyncDispose]: () => opened.close() };
}

const call = { timeoutMs: 60_000 };

describe.skipIf(POSTGRES_URL === undefined)('PostgreSQL (PORTCULLIS_TEST_POSTGRES_URL)', () => {
  const url = POSTGRES_URL ?? '';

  it('answers statements with values', async () => {
    await using database = await open(url);
    const { rows } = await database.sql.query('SELECT $1::text AS said, $2::bigint + 1 AS next', ["it's", 41], call);
    expect(rows).toEqual([{ said: "it's", next: '42' }]);
    expect(database.opened).toMatchObject({ isWell: true, failedCalls: 0 });
    expect(database.lines).toHaveLength(1);
  });

  it('a statement that is refused is no outage', async () => {
    await using database = await open(url);
    await expect(database.sql.query('SELEC 1', [], call)).rejects.toMatchObject({ code: '42601' });
    await expect(database.sql.query("SELECT 'vector'::no_such_type", [], call)).rejects.toThrow('no_such_type');
    expect(database.opened).toMatchObject({ isWell: true, failedCalls: 0 });
  });

  it('a statement that takes too long is given up, and others go on', async () => {
    await using database = await open(url);
    const late = database.sql.query('SELECT pg_sleep(30)', [], { timeoutMs: 50 });
    await expect(late).rejects.toThrow(/time/);
    expect(database.opened).toMatchObject({ isWell: false, failedCalls: 1 });
    expect((await database.sql.query('SELECT 1 AS one', [], call)).rows).toEqual([{ one: 1 }]);
    expect(database.opened.isWell).toBe(true);
  });

  it('who leaves waits no longer, and that is no outage', async () => {
    await using database = await open(url);
    const leaving = new AbortController();
    const left = database.sql.query('SELECT pg_sleep(1)', [], { ...call, signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ name: 'DataCallError' });
    await expect(database.sql.query('SELECT 1', [], { ...call, signal: AbortSignal.abort() })).rejects.toThrow('ended');
    expect(database.opened.failedCalls).toBe(0);
  });

  it('a connection that the server ends is replaced, and ends no process', async () => {
    await using database = await open(url);
    const { rows } = await database.sql.query('SELECT pg_backend_pid() AS pid', [], call);
    await using other = await open(url);
    await other.sql.query('SELECT pg_terminate_backend($1)', [rows[0]?.['pid']], call);
    const again = await eventually(() => database.sql.query('SELECT pg_backend_pid() AS pid', [], call));
    expect(again.rows[0]?.['pid']).not.toBe(rows[0]?.['pid']);
  });

  it('a server without TLS is not spoken to where TLS is wanted', async () => {
    await using database = await open(`${url}?sslmode=require`);
    await expect(database.sql.query('SELECT 1', [], call)).rejects.toThrow('SSL');
  });
});

it.each([
  ['postgres://gateway@127.0.0.1/cache', 0],
  ['postgres://gateway@localhost/cache', 0],
  ['postgres://gateway@db.example/cache?sslmode=require', 0],
  ['postgres://gateway@db.example/cache', 1],
  ['postgres://gateway@10.0.0.1/cache', 1],
])('who sends prompts over the network as they are is told so: %s', async (url, warnings) => {
  await using database = await open(url);
  expect(database.lines).toHaveLength(warnings);
});

describe('a PostgreSQL that is not there', () => {
  it('refuses each call, says so once, and is asked again', async () => {
    const port = await freePort();
    await using database = await open(`postgres://gateway:hidden@127.0.0.1:${port}/cache`);
    for (let tries = 0; tries < 3; tries += 1) {
      await expect(database.sql.query('SELECT 1', [], call)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    }
    expect(database.opened).toMatchObject({ isWell: false, failedCalls: 3 });
    expect(database.lines).toEqual([
      ['the database of cached AI answers fails: nothing is cached', { reason: 'ECONNREFUSED' }],
    ]);
    expect(JSON.stringify(database.lines)).not.toContain('hidden');
  });

  it('and hangs: calls end after their time', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const database = await open(`postgres://gateway@127.0.0.1:${(server.address() as AddressInfo).port}/cache`);
    await expect(database.sql.query('SELECT 1', [], { timeoutMs: 30 })).rejects.toThrow('in time');
    expect(database.opened).toMatchObject({ isWell: false, failedCalls: 1 });
    for (const socket of sockets) socket.destroy();
    server.close();
    await database[Symbol.asyncDispose]();
  });
});
