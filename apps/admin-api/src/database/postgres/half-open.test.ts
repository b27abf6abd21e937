import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { DatabaseUnavailableError } from '../database-errors.ts';
import { POSTGRES_CONNECTIONS_PER_POOL } from '../database-limits.ts';
import { type DatabaseUnderTest, freshPostgres, silentLog } from '../each-database.test-support.ts';
import { openPostgres } from './open-postgres.ts';

const serverUrl = process.env['PORTCULLIS_TEST_POSTGRES_URL'];
const limits = { readMs: 2_000, writeMs: 3_000 };

/** Forwards to a server, and on demand swallows all that the connections of the time say, as a lost firewall state does. */
async function startForwarder(target: URL) {
  const pairs: { readonly near: Socket; readonly far: Socket }[] = [];
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    pairs.push({ near, far });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return {
    port: String((server.address() as AddressInfo).port),
    swallow(): void {
      for (const { near, far } of pairs) {
        near.unpipe(far);
        far.unpipe(near);
        near.resume();
      }
    },
    stop(): void {
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
      server.close();
    },
  };
}

describe.skipIf(serverUrl === undefined)('connections that give no answer (PORTCULLIS_TEST_POSTGRES_URL)', () => {
  let place: DatabaseUnderTest | undefined;
  let forwarder: Awaited<ReturnType<typeof startForwarder>> | undefined;
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

  it('are told from statements that take too long, which the server ends', async () => {
    const { read } = database ?? expect.unreachable();
    const slow = sql`select pg_sleep(30)`.execute(read);
    await expect(slow).rejects.toThrow('statement timeout');
    await expect(slow).rejects.toBeInstanceOf(DatabaseUnavailableError);
  });
});
