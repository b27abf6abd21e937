import { eventually, hasRedis, startRedis, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import type { Resources } from '../testing/fake-control-plane.test-support.ts';
import { startTestGateway, type TestGateway } from '../testing/test-gateway.test-support.ts';

const timeoutMs = 60_000;
const limit = 20;

describe.skipIf(!hasRedis)('limits of a tenant with several gateways (needs redis-server)', () => {
  it(
    'hold for all its gateways together where one instance runs in them, and for each where it says so; never for another tenant',
    { timeout: timeoutMs },
    async () => {
      await using redis = await startRedis();
      await using upstream = await startUpstream((_req, res) => void res.end('ok'));
      const start = (tenantId: string, gatewayId: string): Promise<TestGateway> =>
        startConnected(redis.url, resourcesOf(tenantId, gatewayId, upstream.url));
      await using edge = await start('acme', 'edge');
      await using inner = await start('acme', 'inner');
      await using foreign = await start('umbrella', 'edge');
      const all = [edge, inner];

      const together = await statusesOf(all, '/together');
      expect([passes(together), together.length]).toEqual([limit, 4 * limit]);
      const [ofEdge, ofInner] = [await statusesOf([edge], '/apart'), await statusesOf([inner], '/apart')];
      expect([passes(ofEdge), passes(ofInner)]).toEqual([limit, limit]);
      // Routes of two gateways have two IDs: what they hold inline is two instances.
      expect([passes(await statusesOf(all, '/inline')), passes(await statusesOf([edge], '/inline'))]).toEqual([
        2 * limit,
        0,
      ]);

      expect(passes(await statusesOf([foreign], '/together'))).toBe(limit);
      expect(passes(await statusesOf([foreign], '/apart'))).toBe(limit);
      expect(passes(await statusesOf([foreign], '/inline'))).toBe(limit);
    },
  );
});

/** A gateway with two instances of its tenant, and one that a route of its own holds. */
function resourcesOf(tenantId: string, gatewayId: string, url: string): Resources {
  const config = { year: limit, limit_by: 'ip', policy: 'redis' };
  const instance = (path: string, scope: string) => ({
    ...{ id: `limit-${path}`, name: 'rate_limiter', scope: 'route', route_name: path },
    config: { ...config, scope },
  });
  const route = (path: string, plugins: readonly object[] = []) => ({
    ...{ id: `${gatewayId}-${path}`, name: path, service_id: 's', paths: [`/${path}`] },
    plugins,
  });
  return {
    tenantId,
    gateway: { id: gatewayId, name: gatewayId },
    services: [{ id: 's', name: 's', url }],
    routes: [route('together'), route('apart'), route('inline', [{ name: 'rate_limiter', config }])],
    plugins: [instance('together', 'tenant'), instance('apart', 'gateway')],
  };
}

async function startConnected(redisUrl: string, resources: Resources): Promise<TestGateway> {
  const gateway = await startTestGateway(resources, { PORTCULLIS_REDIS_URL: redisUrl });
  const metrics = async (): Promise<string> => (await fetch(`${gateway.statusUrl}/metrics`)).text();
  await eventually(async () => (await metrics()).includes('gateway_redis_connected 1\n'), { timeoutMs });
  return gateway;
}

/** Twice the limit of each gateway at once. */
function statusesOf(gateways: readonly TestGateway[], path: string): Promise<readonly number[]> {
  const asked = gateways.flatMap(({ url }) => Array.from({ length: 2 * limit }, () => url + path));
  return Promise.all(
    asked.map(async (url) => {
      const answer = await fetch(url);
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
}

const passes = (statuses: readonly number[]): number => statuses.filter((status) => status === 200).length;
