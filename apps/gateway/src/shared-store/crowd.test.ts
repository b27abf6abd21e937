import { eventually, hasRedis, startRedis, startUpstream } from '@portcullis/testkit';
import { Pool } from 'undici';
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../testing/test-gateway.test-support.ts';

const timeoutMs = 60_000;
const connections = 128;
const rounds = 20;

describe.skipIf(!hasRedis)('many clients of one limit at once (needs redis-server)', () => {
  it(
    'are all let through by a limit that has room, with the default of max_concurrency',
    { timeout: timeoutMs },
    async () => {
      await using redis = await startRedis();
      await using upstream = await startUpstream((_req, res) => void res.end('ok'));
      const limit = connections * rounds;
      const plugins = [{ name: 'rate_limiter', config: { year: limit, policy: 'redis' } }];
      await using gateway = await startTestGateway(
        {
          services: [{ id: 's', name: 's', url: upstream.url }],
          routes: [{ id: 'r', name: 'r', service_id: 's', paths: ['/'], plugins }],
        },
        { PORTCULLIS_REDIS_URL: redis.url },
      );
      await eventually(
        async () =>
          (await (await fetch(`${gateway.statusUrl}/metrics`)).text()).includes('gateway_redis_connected 1\n'),
        { timeoutMs },
      );
      await using pool = destroyed(new Pool(gateway.url, { connections, pipelining: 1 }));
      // Where the whole machine stands still for longer than a call waits, a few are refused: then another round shows it.
      let last: readonly number[] = [];
      for (let round = 0; round < rounds && !last.includes(200); round += 1) {
        const statuses = await Promise.all(
          Array.from({ length: connections }, async () => {
            const answer = await pool.pool.request({ path: '/', method: 'GET' });
            await answer.body.dump();
            return answer.statusCode;
          }),
        );
        last = statuses.every((status) => status === 200) ? statuses : [];
      }
      expect(last).toHaveLength(connections);
    },
  );
});

function destroyed(pool: Pool): AsyncDisposable & { readonly pool: Pool } {
  return { pool, [Symbol.asyncDispose]: () => pool.destroy() };
}
