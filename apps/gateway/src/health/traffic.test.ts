import { eventually as eventuallyWithin, startUpstream, type Upstream, TestDnsServer } from '@portcullis/testkit';
import { describe, expect, it, vi } from 'vitest';
import type { Resources } from '../testing/fake-control-plane.test-support.ts';
import { startTestGateway, type TestGateway } from '../testing/test-gateway.test-support.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Many probes and heartbeats have to come and go on a machine that may be busy. */
function eventually(attempt: () => boolean | Promise<boolean>): Promise<true> {
  return eventuallyWithin(attempt, { timeoutMs: 20_000 });
}

/** An upstream whose requests for `/up` are probes, and which can be made unwell. */
interface Backend extends AsyncDisposable {
  isWell: boolean;
  readonly upstream: Upstream;
  /** Requests that are no probes. */
  readonly served: () => number;
}

async function startBackend(): Promise<Backend> {
  const upstream = await startUpstream((_request, response) => {
    response.statusCode = backend.isWell ? 200 : 500;
    response.end();
  });
  const backend: Backend = {
    isWell: true,
    upstream,
    served: () => upstream.requests.filter(({ url }) => url !== '/up').length,
    [Symbol.asyncDispose]: () => upstream.close(),
  };
  return backend;
}

/** A route to targets under health checks. */
function pool(backends: readonly Backend[], healthchecks: object, target: object = {}): Resources {
  return {
    services: [{ id: 's', name: 's', upstream_id: 'u', retries: 0 }],
    upstreams: [{ id: 'u', name: 'u', healthchecks }],
    targets: backends.map(({ upstream: { port } }, index) => ({
      id: `t${index}`,
      upstream_id: 'u',
      host: '127.0.0.1',
      port,
      ...target,
    })),
    routes: [{ id: 'r', name: 'r', service_id: 's' }],
  };
}

const quick = { interval: 0.02 };
const probes = { active: { http_path: '/up', timeout: 60, healthy: quick, unhealthy: { ...quick, http_failures: 2 } } };

/** What the gateway told the control plane last of a target. */
function told({ controlPlane }: TestGateway, targetId: string): string | undefined {
  const list = controlPlane.heartbeats.findLast(({ targets }) => targets !== undefined)?.targets;
  return list?.find((target) => target.target_id === targetId)?.health;
}

async function statuses(gateway: TestGateway, count: number): Promise<number[]> {
  const found: number[] = [];
  for (let request = 0; request < count; request += 1) {
    const answer = await fetch(`${gateway.url}/x`);
    await answer.text();
    found.push(answer.status);
  }
  return found;
}

const allFine = (count: number): number[] => Array.from({ length: count }, () => 200);

describe('probes', () => {
  it('take the traffic from an unwell target and give it back, and everyone is told', async () => {
    await using a = await startBackend();
    await using b = await startBackend();
    await using gateway = await startTestGateway(pool([a, b], probes));
    await eventually(() => told(gateway, 't0') === 'HEALTHY' && told(gateway, 't1') === 'HEALTHY');
    a.isWell = false;
    await eventually(() => told(gateway, 't0') === 'UNHEALTHY');
    const before = a.served();
    expect(await statuses(gateway, 10)).toEqual(allFine(10));
    expect([a.served(), told(gateway, 't1')]).toEqual([before, 'HEALTHY']);
    const scraped = await (await fetch(`${gateway.statusUrl}/metrics`)).text();
    expect(scraped).toContain('gateway_upstream_target_up{upstream="u",target="t0"} 0');
    expect(scraped).toContain('gateway_upstream_target_up{upstream="u",target="t1"} 1');
    a.isWell = true;
    await eventually(() => told(gateway, 't0') === 'HEALTHY');
    expect(await statuses(gateway, 10)).toEqual(allFine(10));
    expect(a.served()).toBeGreaterThan(before);
  });

  it('of an upstream without a well target leave nothing to send to, until one is well again', async () => {
    await using a = await startBackend();
    await using gateway = await startTestGateway(pool([a], probes));
    a.isWell = false;
    await eventually(() => told(gateway, 't0') === 'UNHEALTHY');
    const answer = await fetch(gateway.url);
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'no_target' }]);
    a.isWell = true;
    await eventually(async () => (await statuses(gateway, 1))[0] === 200);
  });

  it('end when the configuration has no checks any more, or no such upstream', async () => {
    await using a = await startBackend();
    await using gateway = await startTestGateway(pool([a], probes));
    await eventually(() => a.upstream.requests.length > 2);
    await gateway.publish(pool([a], { passive: {} }));
    expect(await statuses(gateway, 20)).toEqual(allFine(20));
    await gateway.publish(pool([a], {}));
    await eventually(() => told(gateway, 't0') === 'HEALTHCHECKS_OFF');
    const seen = a.upstream.requests.length;
    expect(await statuses(gateway, 20)).toEqual(allFine(20));
    expect(a.upstream.requests.length).toBe(seen + 20);
    await gateway.publish({ ...pool([a], {}), targets: [] });
    await eventually(() => told(gateway, 't0') === undefined);
  });
});

describe('answers to traffic', () => {
  it('take it from an unwell target, and an edit of the target does not give it back', async () => {
    await using a = await startBackend();
    await using b = await startBackend();
    const checks = {
      passive: { unhealthy: { http_statuses: [500], http_failures: 2 } },
      // Only a probe brings a target back, an hour later.
      active: { healthy: { interval: 0 }, unhealthy: { interval: 3600 } },
    };
    await using gateway = await startTestGateway(pool([a, b], checks));
    a.isWell = false;
    await statuses(gateway, 12);
    await eventually(() => told(gateway, 't0') === 'UNHEALTHY');
    const failed = a.served();
    expect(await statuses(gateway, 10)).toEqual(allFine(10));
    await gateway.publish(pool([a, b], checks, { weight: 50 }));
    expect(await statuses(gateway, 10)).toEqual(allFine(10));
    expect(a.served()).toBe(failed);
  });
});

it('a name that is not known is told as such, until it is', async () => {
  await using dns = await TestDnsServer.start();
  await using a = await startBackend();
  const env = { PORTCULLIS_DNS_SERVERS: dns.address };
  await using gateway = await startTestGateway(pool([a], { passive: {} }, { host: 'late.test' }), env);
  await eventually(() => told(gateway, 't0') === 'DNS_ERROR');
  dns.set('late.test', ['127.0.0.1']);
  await eventually(() => told(gateway, 't0') === 'HEALTHY');
  expect(await statuses(gateway, 1)).toEqual([200]);
});
