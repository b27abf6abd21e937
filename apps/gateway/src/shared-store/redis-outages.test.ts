import { eventually, hasRedis, startRedis, startUpstream, type RedisServer } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../testing/test-gateway.test-support.ts';

const timeoutMs = 60_000;
const limit = 5;

describe.skipIf(!hasRedis)('limits while Redis is away (needs redis-server)', () => {
  const outages: readonly [
    string,
    (redis: RedisServer) => Promise<unknown>,
    (redis: RedisServer) => Promise<RedisServer>,
  ][] = [
    ['killed and started again', (redis) => redis.process.kill('SIGKILL'), (redis) => startRedis({ port: redis.port })],
    [
      'frozen and thawed',
      (redis) => Promise.resolve(redis.freeze()),
      (redis) => {
        redis.thaw();
        return Promise.resolve(redis);
      },
    ],
  ];

  it.each(outages)(
    '%s: 503 or counting alone, as told, and back by itself',
    { timeout: timeoutMs },
    async (_name, end, begin) => {
      await using redis = await startRedis();
      await using upstream = await startUpstream((_req, res) => void res.end('ok'));
      await using one = await gatewayOn(redis, upstream.url);
      await using two = await gatewayOn(redis, upstream.url);
      const all = [one, two];
      expect(await passedOf(all, '/strict', 1)).toEqual([200, 200]);
      expect(await passedOf(all, '/tolerant', limit)).toEqual([...ok(limit), ...full(limit)]);

      await end(redis);
      // The first call may find the connection still open: it ends with its time-out, and is refused too.
      expect(await passedOf(all, '/strict', 5)).toEqual(Array.from({ length: 10 }, () => 503));
      // Each counts by itself now, from zero.
      expect(await passedOf(all, '/tolerant', limit + 1)).toEqual([...ok(2 * limit), 429, 429]);
      for (const gateway of all) {
        expect((await fetch(`${gateway.statusUrl}/ready`)).status).toBe(200);
        expect(await (await fetch(`${gateway.statusUrl}/metrics`)).text()).toContain('gateway_redis_connected 0\n');
      }

      await using again = await begin(redis);
      expect(again.port).toBe(redis.port);
      // The circuit lets a probe through every 100 ms, and the connection comes back by itself.
      for (const gateway of all) {
        await eventually(async () => (await statusOf(gateway, '/strict')) !== 503, { timeoutMs, intervalMs: 100 });
      }
      const strict = await passedOf(all, '/strict', limit);
      expect(strict.filter((status) => status === 200).length).toBeLessThan(limit);
      expect(strict.every((status) => status === 200 || status === 429)).toBe(true);
      expect(strict.at(-1)).toBe(429);
      await eventually(async () => (await statusOf(one, '/tolerant')) === 429, { timeoutMs });
      await eventually(async () => (await statusOf(two, '/tolerant')) === 429, { timeoutMs });
    },
  );

  it(
    'frozen, with many requests at once: none gets 503 where limits may be counted alone',
    { timeout: timeoutMs },
    async () => {
      await using redis = await startRedis();
      await using upstream = await startUpstream((_req, res) => void res.end('ok'));
      await using gateway = await gatewayOn(redis, upstream.url);
      const burst = (path: string) => Promise.all(Array.from({ length: 300 }, () => statusOf(gateway, path)));
      expect(await passedOf([gateway], '/roomy', 1)).toEqual([200]);
      expect(await passedOf([gateway], '/hasty', 1)).toEqual([200]);
      redis.freeze();
      for (const path of ['/roomy', '/hasty', '/roomy-synced'])
        expect(new Set(await burst(path))).toEqual(new Set([200]));
      redis.thaw();
      expect(new Set(await burst('/roomy'))).toEqual(new Set([200]));
    },
  );

  it('frozen and thawed: limits that are told once an hour are back at once', { timeout: timeoutMs }, async () => {
    await using redis = await startRedis();
    await using upstream = await startUpstream((_req, res) => void res.end('ok'));
    await using gateway = await gatewayOn(redis, upstream.url);
    redis.freeze();
    // Nobody is known yet, so that it has to ask.
    expect(await statusOf(gateway, '/strict-synced')).toBe(503);
    redis.thaw();
    await eventually(async () => (await statusOf(gateway, '/strict-synced')) === 200, { timeoutMs, intervalMs: 100 });
  });
});

async function gatewayOn(redis: RedisServer, url: string): Promise<TestGateway> {
  const route = (name: string, isTolerant: boolean, config = {}, execution = {}) => ({
    ...{ id: name, name, service_id: 's', paths: [`/${name}`] },
    plugins: [
      {
        name: 'rate_limiter',
        config: { year: limit, policy: 'redis', fault_tolerant: isTolerant, ...config },
        execution: { recovery_timeout_ms: 100, ...execution },
      },
    ],
  });
  const routes = [
    route('strict', false),
    route('tolerant', true),
    route('roomy', true, { year: 100_000 }),
    route('hasty', true, { year: 100_000 }, { timeout_ms: 500 }),
    route('roomy-synced', true, { year: 100_000, sync_rate: 1 }),
    route('strict-synced', false, { sync_rate: 3600 }),
  ];
  const gateway = await startTestGateway(
    { services: [{ id: 's', name: 's', url }], routes },
    { PORTCULLIS_REDIS_URL: redis.url },
  );
  await eventually(
    async () => (await (await fetch(`${gateway.statusUrl}/metrics`)).text()).includes('gateway_redis_connected 1\n'),
    { timeoutMs },
  );
  return gateway;
}

async function statusOf(gateway: TestGateway, path: string): Promise<number> {
  const answer = await fetch(gateway.url + path);
  await answer.arrayBuffer();
  return answer.status;
}

/** Asks the gateways by turns, so often each, one request after the other. */
async function passedOf(gateways: readonly TestGateway[], path: string, times: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let round = 0; round < times; round += 1) {
    for (const gateway of gateways) statuses.push(await statusOf(gateway, path));
  }
  return statuses;
}

const ok = (times: number): readonly number[] => Array.from({ length: times }, () => 200);
const full = (times: number): readonly number[] => Array.from({ length: times }, () => 429);
