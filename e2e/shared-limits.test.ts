import { eventually, hasRedis, startRedis } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { startProtectedRoutes } from './support/protected-routes.ts';
import { startSecondGateway } from './support/second-gateway.ts';

const limit = 40;
const asked = 100;
const timeoutMs = 120_000;

describe.skipIf(!hasRedis)('one limit for two gateways, through a real control plane (needs redis-server)', () => {
  it(
    'lets pass what the limit says, over both, and the rest get 429; without Redis 503',
    { timeout: timeoutMs },
    async () => {
      await using redis = await startRedis();
      await using routes = await startProtectedRoutes({ PORTCULLIS_REDIS_URL: redis.url });
      await using second = await startSecondGateway(routes, redis.url);
      await routes.protect('orders', 'rate_limiter', { year: limit, policy: 'redis', limit_by: 'ip' });
      await routes.protect('shared', 'rate_limiter', { year: limit, policy: 'redis', limit_by: 'ip' });
      const origins = [routes.stack.gatewayUrl, second.url];
      const statusOf = async (origin: string, path: string): Promise<number> => {
        const answer = await fetch(`${origin}${path}`);
        await answer.arrayBuffer();
        return answer.status;
      };
      // The last route that was made is there: so are those before it.
      for (const origin of origins) {
        await eventually(async () => (await statusOf(origin, '/shared')) === 200, { timeoutMs });
      }
      const statuses: number[] = [];
      for (let sent = 0; sent < asked; sent += 20) {
        const some = Array.from({ length: 20 }, (_, index) => statusOf(origins[index % 2] ?? '', '/orders'));
        statuses.push(...(await Promise.all(some)));
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(limit);
      expect(statuses.filter((status) => status === 429)).toHaveLength(asked - limit);

      await redis.process.kill('SIGKILL');
      expect(await statusOf(origins[1] ?? '', '/orders')).toBe(503);
      expect(second.process.running()).toBe(true);
    },
  );
});
