import { eventually, hasRedis, startRedis, startUpstream } from '@portcullis/testkit';
import { Pool } from 'undici';
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../testing/test-gateway.test-support.ts';

const timeoutMs = 60_000;
const connections = 128;
const rounds = 20;

describe.skipIf(!hasRedis)('many clients of one limit at once (needs redis-server)', () => {
  it('are all counted, with the default of max_concurrency', { timeout: timeoutMs }, async () => {
    await using redis = await startRedis();
    await using upstream = await startUpstream((_req, res) => void res.end('ok'));
    const limit = (connections * rounds) / 2;
    const plugins = [{ name: 'rate_limiter', config: { year: limit, policy: 'redis' } }];
    await using gateway = await startTestGateway(
      {
        services: [{ id: 's', name: 's', url: upstream.url }],
        routes: [{ id: 'r', name: 'r', service_id: 's', paths: ['/'], plugins }],
      },
      { PORTCULLIS_REDIS_URL: redis.url },
    );
    await eventually(
      async () => (await (await fetch(`${gateway.statusUrl}/metrics`)).text()).includes('gateway_redis_connected 1\n'),
      { timeoutMs },
    );
    await using pool = destroyed(new Pool(gateway.url, { connections, pipelining: 1 }));
    const counts: Record<number, number> = {};
    for (let round = 0; round < rounds; round += 1) {
      const statuses = await Promise.all(
        Array.from({ length: connections }, async () => {
          const answer = await pool.pool.request({ path: '/', method: 'GET' });
          await answer.body.dump();
          return answer.statusCode;
        }),
      );
      for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
    }
    // Refusals for want of a place count nowhere. A few come where the whole machine stands still for longer than a call waits.
    const { 200: passed, 429: refused = 0, 503: rejected = 0, ...others } = counts;
    expect([passed, refused + rejected, others]).toEqual([limit, limit, {}]);
    expect(rejected).toBeLessThan(connections);
  });
});

function destroyed(pool: Pool): AsyncDisposable & { readonly pool: Pool } {
  return { pool, [Symbol.asyncDispose]: () => pool.destroy() };
}
