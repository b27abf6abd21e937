import { readFile } from 'node:fs/promises';
import { eventually, freePort, hasRedis, startRedis } from '@portcullis/testkit';
import { sharedStoreFailure, type SharedStore } from '@portcullis/plugin-runtime';
import { testPlugin } from '@portcullis/plugin-runtime/testing';
import { builtInPlugins } from '@portcullis/plugins';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { readRedisAddress } from './redis-address.ts';
import { RedisStore } from './redis-store.ts';

const count = { name: 'count', lua: "return redis.call('INCRBY', KEYS[1], ARGV[1])" };
const timeoutMs = 20_000;

describe.skipIf(!hasRedis)('RedisStore (needs redis-server)', () => {
  it('runs scripts with keys and arguments, many at a time', async () => {
    await using redis = await startRedis();
    await using client = await connected(redis.url);
    const counts = await Promise.all(Array.from({ length: 200 }, () => add(client.of('t1'))));
    expect(counts).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  });

  it('gives every tenant keys of its own, whatever it is called, and all its gateways the same', async () => {
    await using redis = await startRedis();
    await using client = await connected(redis.url);
    const prefix = '}:';
    for (const tenant of ['t1', 't2', `t1${prefix}`, `t1${prefix}k`, 't1:k', '', 't1%7D']) {
      expect(await add(client.of(tenant))).toBe(1);
    }
    expect(await add(client.of('t1'))).toBe(2);
  });

  it('runs a script that Redis has forgotten, without a new connection', async () => {
    await using redis = await startRedis();
    await using client = await connected(redis.url);
    const store = client.of('t');
    await add(store);
    const admin = new Redis(redis.port, '127.0.0.1');
    await admin.script('FLUSH');
    admin.disconnect();
    expect(await Promise.all([add(store), add(store)])).toEqual([2, 3]);
  });

  it('says at once that there is no connection, and finds a server that comes back', async () => {
    const port = await freePort();
    await using client = clientOf(`redis://127.0.0.1:${port}`);
    const store = client.of('t');
    expect(await failure(store)).toBe('unavailable');
    await using redis = await startRedis({ port });
    await eventually(async () => (await add(store)) === 1, { timeoutMs });
    await redis.process.kill('SIGKILL');
    await eventually(() => !client.store.isConnected, { timeoutMs });
    expect(await failure(store)).toBe('unavailable');
    await using again = await startRedis({ port });
    await eventually(async () => (await add(store)) === 1, { timeoutMs });
    expect(again.port).toBe(port);
    const said = client.lines.map(({ message }) => message);
    expect(said.filter((one) => one === 'connected to Redis')).toHaveLength(2);
    expect(said.filter((one) => one.startsWith('no connection'))).toHaveLength(2);
  });

  it('waits no longer than a call may for a server that hangs, gives the connection up, and recovers', async () => {
    await using redis = await startRedis();
    await using client = await connected(redis.url);
    const store = client.of('t');
    await add(store);
    redis.freeze();
    expect(await failure(store, 50)).toBe('timeout');
    await eventually(() => !client.store.isConnected, { timeoutMs });
    expect(await failure(store)).toBe('unavailable');
    redis.thaw();
    // What was sent before it hung may have been counted: never twice.
    const recovered = await eventually(async () => Number(await add(store)), { timeoutMs });
    expect(recovered).toBeLessThanOrEqual(3);
    expect(client.store.failedCalls).toBeGreaterThanOrEqual(2);
  });

  it('says what Redis refused, and nothing of what was in the call', async () => {
    await using redis = await startRedis();
    await using client = await connected(redis.url);
    const script = { name: 'broken', lua: "return redis.call('NOSUCH', KEYS[1], ARGV[1])" };
    const error: unknown = await client
      .of('t')
      .run(script, ['hidden-key'], ['hidden-argument'], { timeoutMs })
      .catch((reason: unknown) => reason);
    expect(sharedStoreFailure(error)).toBe('failed');
    expect(inspected(error)).toContain('Redis refused broken: ERR');
    expect(inspected(error)).not.toMatch(/hidden/);
  });

  it('ends a wait when the signal fires, before or while it waits', async () => {
    await using redis = await startRedis();
    await using client = await connected(redis.url);
    redis.freeze();
    const leaving = new AbortController();
    const call = client.of('t').run(count, ['k'], [1], { timeoutMs, signal: leaving.signal });
    leaving.abort();
    await expect(call).rejects.toMatchObject({ code: 'timeout' });
    const late = client.of('t').run(count, ['k'], [1], { timeoutMs, signal: leaving.signal });
    await expect(late).rejects.toMatchObject({ code: expect.stringMatching(/timeout|unavailable/) as string });
  });

  it('needs no more rights than the guide lists', async () => {
    await using redis = await startRedis();
    const guide = await readFile(new URL('../../../../docs/guides/shared-counters.md', import.meta.url), 'utf8');
    const rights = /`(~portcullis:.*?)`/.exec(guide)?.[1]?.split(' ') ?? [];
    const admin = new Redis(redis.port, '127.0.0.1');
    await admin.acl('SETUSER', 'gateway', 'on', '>p', ...rights);
    admin.disconnect();
    const limiter = builtInPlugins.find(({ name }) => name === 'rate_limiter');
    await using client = await connected(redis.url.replace('//', '//gateway:p@'));
    for (const config of ['fixed', 'sliding'].flatMap((strategy) => [{ strategy }, { strategy, sync_rate: 1 }])) {
      const test = testPlugin(limiter ?? unknownPlugin(), {
        config: { month: 1, year: 2, policy: 'redis', ...config },
        sharedStore: client.of(JSON.stringify(config)),
        trigger: 'before_request',
      });
      const statuses = [await test.send(), await test.send()].map(({ status }) => status);
      expect([statuses, test.log]).toEqual([[200, 429], []]);
    }
    // What the scripts do rarely: see `look` in sliding-script.ts.
    const rare = 'RPUSH k x; LSET k 0 y; LTRIM k 0 -1; LRANGE k 0 -1; LINDEX k 0; LLEN k; PEXPIRE k 9; DEL k'.split(
      '; ',
    );
    const lua = rare.map(
      (line) =>
        `redis.call(${line
          .split(' ')
          .map((word) => (word === 'k' ? 'KEYS[1]' : `'${word}'`))
          .join(',')})`,
    );
    await client.of('t').run({ name: 'rare', lua: lua.join('\n') }, ['new'], [], { timeoutMs });
    const foreign = { name: 'foreign', lua: "return redis.call('GET', 'other')" };
    await expect(client.of('t').run(foreign, [], [], { timeoutMs })).rejects.toMatchObject({ code: 'failed' });
  });

  it('never logs the password, right or wrong', async () => {
    await using redis = await startRedis({ password: 'the-right-one' });
    await using right = await connected(redis.url);
    expect(await add(right.of('t'))).toBe(1);
    await using wrong = clientOf(`redis://:the-wrong-one@127.0.0.1:${redis.port}`);
    await eventually(() => wrong.lines.length > 0, { timeoutMs });
    expect(wrong.lines[0]).toMatchObject({ reason: 'WRONGPASS' });
    expect(JSON.stringify([right.lines, wrong.lines])).not.toMatch(/the-(right|wrong)-one/);
  });
});

const add = (store: SharedStore): Promise<unknown> => store.run(count, ['k'], [1], { timeoutMs });

async function failure(store: SharedStore, callTimeoutMs = timeoutMs): Promise<string | undefined> {
  const call = store.run(count, ['k'], [1], { timeoutMs: callTimeoutMs });
  return sharedStoreFailure(await call.catch((error: unknown) => error));
}

interface Line {
  readonly message: string;
}

function clientOf(url: string) {
  const outcome = readRedisAddress(url);
  if ('mistake' in outcome) throw new Error(outcome.mistake);
  const lines: Line[] = [];
  const write = (details: object, message: string): void => void lines.push({ ...details, message });
  const log = { info: write, warn: write };
  const store = new RedisStore({ address: outcome.address, random: Math.random, log });
  return {
    store,
    lines,
    of: (tenantId: string) => store.storeOf(tenantId),
    [Symbol.asyncDispose]: () => Promise.resolve(store.close()),
  };
}

async function connected(url: string): Promise<ReturnType<typeof clientOf>> {
  const client = clientOf(url);
  await eventually(() => client.store.isConnected, { timeoutMs });
  return client;
}

function unknownPlugin(): never {
  throw new Error('there is no rate_limiter');
}

function inspected(error: unknown): string {
  return error instanceof Error ? `${error.stack}${JSON.stringify(error)}${String(error.cause)}` : '';
}
