import { eventually, hasRedis, startRedis, startUpstream } from '@portcullis/testkit';
import { definePlugin, type Plugin } from '@portcullis/plugin-runtime';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../testing/test-gateway.test-support.ts';

const timeoutMs = 60_000;
const limit = 5;

describe('a gateway that stops', () => {
  it.skipIf(!hasRedis)('tells the others what it counted (needs redis-server)', { timeout: timeoutMs }, async () => {
    await using redis = await startRedis();
    await using upstream = await startUpstream((_req, res) => void res.end('ok'));
    const plugins = [{ name: 'rate_limiter', config: { year: limit, policy: 'redis', sync_rate: 3600 } }];
    const start = () => startConnected(redis.url, upstream.url, plugins);
    await using first = await start();
    expect(await statuses(first, limit)).toEqual(Array.from({ length: limit }, () => 200));
    await first.stop();
    await using second = await start();
    // Whoever has not heard of a client asks about its first request.
    expect(await statuses(second, 2)).toEqual([429, 429]);
  });

  it('waits for what its plugins do last, and not for ever', { timeout: timeoutMs }, async () => {
    const ends: string[] = [];
    const ending = (name: string, end: () => Promise<void>): Plugin =>
      definePlugin({
        ...{ name, version: '1.0.0', category: 'traffic', triggers: ['before_request'], config: v.object({}) },
        setup: () => ({ request: () => undefined, dispose: end }),
      });
    const late = ending('late', async () => {
      await new Promise(setImmediate);
      ends.push('late');
    });
    const never = ending('never', () => new Promise(() => undefined));
    await using upstream = await startUpstream((_req, res) => void res.end('ok'));
    await using gateway = await startTestGateway(
      resourcesOf(upstream.url, [{ name: 'late' }, { name: 'never' }]),
      {},
      {},
      { plugins: [late, never] },
    );
    await gateway.stop();
    expect(ends).toEqual(['late']);
  });
});

function resourcesOf(url: string, plugins: readonly object[]) {
  return {
    services: [{ id: 's', name: 's', url }],
    routes: [{ id: 'r', name: 'r', service_id: 's', paths: ['/'], plugins }],
  };
}

async function startConnected(redisUrl: string, url: string, plugins: readonly object[]): Promise<TestGateway> {
  const gateway = await startTestGateway(resourcesOf(url, plugins), { PORTCULLIS_REDIS_URL: redisUrl });
  const metrics = async (): Promise<string> => (await fetch(`${gateway.statusUrl}/metrics`)).text();
  await eventually(async () => (await metrics()).includes('gateway_redis_connected 1\n'), { timeoutMs });
  return gateway;
}

async function statuses({ url }: TestGateway, times: number): Promise<readonly number[]> {
  const seen: number[] = [];
  for (let sent = 0; sent < times; sent += 1) {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    seen.push(answer.status);
  }
  return seen;
}
