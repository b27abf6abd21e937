import { SharedStoreError, type SharedStore } from '@portcullis/plugin-runtime';
import { FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { PluginBench, type BenchHost, type TestRequest } from '../testing/plugin-bench.ts';
import { testStore } from '../testing/redis-store.ts';
import { rateLimiter } from './index.ts';

const REDIS_URL = process.env['PORTCULLIS_TEST_REDIS_URL'];
/** A window that does not end while this runs, but at New Year. */
const config = { year: 3, policy: 'redis' };

describe.skipIf(REDIS_URL === undefined)('rate_limiter with policy redis (PORTCULLIS_TEST_REDIS_URL)', () => {
  it.each(['fixed', 'sliding'])('counts the requests of all gateways together, strategy %s', async (strategy) => {
    await using store = testStore(REDIS_URL);
    const [one, other] = [benchOf({ ...config, strategy }, store), benchOf({ ...config, strategy }, store)];
    const passed = [await passes(one), await passes(other), await passes(one), await passes(other), await passes(one)];
    expect(passed).toEqual([true, true, true, false, false]);
    const { exchange } = await other.request();
    expect(exchange.response.status).toBe(429);
    expect(exchange.response.headers.get('ratelimit')).toMatch(/^"year";r=0;t=\d+$/);
    expect(exchange.response.headers.get('retry-after')).toBe(exchange.response.headers.get('ratelimit-reset'));
  });

  it('asks Redis once for each request, whatever the number of windows', async () => {
    await using store = testStore(REDIS_URL);
    let calls = 0;
    const counted: SharedStore = { run: (...call) => ((calls += 1), store.run(...call)) };
    const bench = benchOf({ second: 9, minute: 9, hour: 9, day: 9, month: 9, year: 9, policy: 'redis' }, counted);
    for (let sent = 0; sent < 5; sent += 1) await bench.request();
    expect(calls).toBe(5);
  });

  it('does not care what the clocks of the gateways say', async () => {
    await using store = testStore(REDIS_URL);
    const nowMs = Date.UTC(2001, 0, 1);
    const early = benchOf(config, store, { clock: new FakeClock({ nowMs }) });
    const late = benchOf(config, store, { clock: new FakeClock({ nowMs: Date.UTC(2040, 0, 1) }) });
    for (let sent = 0; sent < 3; sent += 1) expect(await passes(early)).toBe(true);
    expect([await passes(late), await passes(early)]).toEqual([false, false]);
  });

  it('puts no header value into Redis, which may be a secret, and no long name', async () => {
    await using store = testStore(REDIS_URL);
    const byHeader = benchOf({ ...config, limit_by: 'header', header_name: 'authorization' }, store);
    await byHeader.request({ headers: ['authorization', 'Bearer a-secret'] });
    const byPath = benchOf({ ...config, limit_by: 'path' }, store);
    await byPath.request({ path: `/${'long'.repeat(1000)}` });
    const keys = await store.keys();
    expect(keys).toHaveLength(2);
    expect(keys.join()).not.toMatch(/a-secret|longlong/);
    expect(keys.every((key) => key.length < 200)).toBe(true);
  });

  it('asks once per client with sync_rate, decides by itself, and tells before it refuses', async () => {
    await using store = testStore(REDIS_URL);
    let calls = 0;
    const counted: SharedStore = { run: (...call) => ((calls += 1), store.run(...call)) };
    const bench = benchOf({ ...config, sync_rate: 3600 }, counted);
    const other = benchOf({ ...config, sync_rate: 3600 }, counted);
    const passed = [await passes(bench), await passes(bench), await passes(bench)];
    expect([passed, calls]).toEqual([[true, true, true], 1]);
    expect([await passes(bench), await passes(bench), calls]).toEqual([false, false, 2]);
    expect([await passes(other), calls]).toEqual([false, 3]);
  });

  it.each([0, 3600])('goes on with what was counted when sync_rate changes, from %i', async (before) => {
    await using store = testStore(REDIS_URL);
    const one = benchOf({ ...config, sync_rate: before }, store);
    for (let sent = 0; sent < 3; sent += 1) expect(await passes(one)).toBe(true);
    expect(await passes(one)).toBe(false);
    expect(await passes(benchOf({ ...config, sync_rate: before === 0 ? 3600 : 0 }, store))).toBe(false);
  });
});

describe('rate_limiter with policy redis and no Redis', () => {
  const failing = (code: 'unavailable' | 'timeout' | 'failed'): SharedStore => ({
    run: () => Promise.reject(new SharedStoreError(code, 'as told')),
  });

  it.each(['unavailable', 'timeout', 'failed'] as const)('refuses with 503 when the store says %s', async (code) => {
    const bench = benchOf(config, failing(code));
    const { result, exchange } = await bench.request();
    expect([result, exchange.failure?.code]).toEqual(['failed', 'plugin_failed']);
  });

  it('opens its circuit like any plugin whose infrastructure fails', async () => {
    let calls = 0;
    const store: SharedStore = { run: () => ((calls += 1), failing('unavailable').run(...none)) };
    const bench = benchOf(config, store);
    for (let sent = 0; sent < 6; sent += 1) expect((await bench.request()).result).toBe('failed');
    expect(calls).toBe(3);
  });

  it.each(['unavailable', 'timeout', 'failed'] as const)(
    'counts by itself when it may, store says %s',
    async (code) => {
      const lines: string[] = [];
      const bench = benchOf({ ...config, fault_tolerant: true }, failing(code), { log: logOf(lines) });
      const passed = [await passes(bench), await passes(bench), await passes(bench), await passes(bench)];
      expect(passed).toEqual([true, true, true, false]);
      expect(lines).toEqual(['rate_limiter does not reach Redis: requests are counted by this process alone']);
      bench.clock.advance(60_000);
      await bench.request();
      expect(lines).toHaveLength(2);
    },
  );

  it.each([
    [true, 'continue', 'requests are counted by this process alone'],
    [false, 'failed', 'requests are refused with 503'],
  ])('on a gateway without one: fault_tolerant %s', async (isTolerant, result, told) => {
    const lines: string[] = [];
    const settings = { ...config, fault_tolerant: isTolerant };
    const bench = new PluginBench(rateLimiter, settings, { log: logOf(lines) });
    expect(lines).toEqual([
      `rate_limiter has policy redis, and the gateway has no Redis (PORTCULLIS_REDIS_URL): ${told}`,
    ]);
    expect((await bench.request()).result).toBe(result);
  });

  it('does not tolerate what is a mistake of its own', async () => {
    const store: SharedStore = { run: () => Promise.resolve('garbage') };
    const bench = benchOf({ ...config, fault_tolerant: true }, store);
    expect((await bench.request()).result).toBe('failed');
  });
});

const none = [{ name: '', lua: '' }, [], [], { timeoutMs: 1 }] as const;

function benchOf(settings: object, sharedStore: SharedStore, host: BenchHost = {}): PluginBench {
  return new PluginBench(rateLimiter, settings, { ...host, sharedStore });
}

function logOf(lines: string[]) {
  return { warn: (message: string) => void lines.push(message), error: () => undefined };
}

async function passes(bench: PluginBench, request?: TestRequest): Promise<boolean> {
  return (await bench.request(request)).result === 'continue';
}
