import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { DatabaseUnavailableError } from '../database-errors.ts';
import { POSTGRES_CONNECTIONS_PER_POOL } from '../database-limits.ts';
import { type DatabaseUnderTest, freshPostgres, silentLog } from '../each-database.test-support.ts';
import { type Forwarder, startForwarder } from './forwarder.test-support.ts';
import { openPostgres } from './open-postgres.ts';

const serverUrl = process.env['PORTCULLIS_TEST_POSTGRES_URL'];
const limits = { readMs: 2_000, writeMs: 3_000 };

describe.skipIf(serverUrl === undefined)('connections that give no answer (PORTCULLIS_TEST_POSTGRES_URL)', () => {
  let place: DatabaseUnderTest | undefined;
  let forwarder: Forwarder | undefined;
  let database: Database | undefined;
  beforeAll(async () => {
    place = await freshPostgres(serverUrl ?? '');
    const url = new URL(place.url);
    forwarder = await startForwarder(new URL(place.url));
    url.hostname = '127.0.0.1';
    url.port = forwarder.port;
    database = await openPostgres(url.href, silentLog, limits);
  });
  afterAll(async () => {
    forwarder?.stop();
    await database?.close();
    await place?.remove();
  });

  it('are closed and replaced, in both pools', { timeout: 30_000 }, async () => {
    const { read, transaction, isReady } = database ?? expect.unreachable();
    const one = sql`select 1`;
    const reads = () =>
      Promise.allSettled(Array.from({ length: POSTGRES_CONNECTIONS_PER_POOL }, () => one.execute(read)));
    const writes = () =>
      Promise.allSettled(Array.from({ length: 4 }, () => transaction(async (open) => one.execute(open))));
    const outcomes = async () => [...(await reads()), ...(await writes())].map(({ status }) => status);
    expect(new Set(await outcomes())).toEqual(new Set(['fulfilled']));
    forwarder?.swallow();
    const [lostReads, lostWrites] = await Promise.all([reads(), writes()]);
    for (const outcome of [...lostReads, ...lostWrites]) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailableError) as unknown });
    }
    expect(new Set(await outcomes())).toEqual(new Set(['fulfilled']));
    expect(await isReady()).toBe(true);
  });

  it('are not handed out again when the server has ended them and the end has yet to arrive', async () => {
    const { read, transaction } = database ?? expect.unreachable();
    const one = sql`select 1`;
    const end = sql`select pg_terminate_backend(pg_backend_pid())`;
    await one.execute(read);
    forwarder?.delayEnds();
    await expect(end.execute(read)).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await expect(one.execute(read)).resolves.toBeDefined();
    await expect(transaction((open) => end.execute(open))).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await expect(transaction((open) => one.execute(open))).resolves.toBeDefined();
  });

  it('are told from statements that take too long, which the server ends', async () => {
    const { read } = database ?? expect.unreachable();
    const slow = sql`select pg_sleep(30)`.execute(read);
    await expect(slow).rejects.toThrow('statement timeout');
    await expect(slow).rejects.toBeInstanceOf(DatabaseUnavailableError);
  });
});
