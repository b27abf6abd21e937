import { eventually, startUpstream } from '@portcullis/testkit';
import type { Upstream } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProtectedRoutes } from './support/protected-routes.ts';
import type { Called, ProtectedRoutes } from './support/protected-routes.ts';

/** No window of the calendar ends while the test runs. */
const hour = { window_seconds: 3600, strategy: 'sliding' };

describe('limits, through a real control plane and gateway', () => {
  let routes: ProtectedRoutes;
  let costly: Upstream;
  beforeAll(async () => {
    [routes, costly] = [
      await startProtectedRoutes(),
      await startUpstream((_req, res, { url }) => {
        if (url.endsWith('/cut')) res.destroy();
        else if (!url.endsWith('/never'))
          res.writeHead(200, { 'X-Cost': url.endsWith('/dear') ? '7' : 'nonsense' }).end('done');
      }),
    ];
    await routes.admin('POST', '/gateways/edge/services', { id: 'costly', name: 'costly', url: costly.url });
  });
  afterAll(async () => {
    await routes[Symbol.asyncDispose]();
    await costly.close();
  });

  it('rate_limiter lets a client send what the limit says, and tells every client its own standing', async () => {
    await routes.protect('plain', 'rate_limiter', { limit: 2, limit_by: 'ip', ...hour });
    const first = await routes.until(200, '/plain');
    expect(first.header('ratelimit-policy')).toBe('"default";q=2;w=3600');
    expect(first.header('x-ratelimit-remaining-hour')).toBe('1');
    expect((await routes.call('/plain')).header('ratelimit-remaining')).toBe('0');
    expectLimited(await routes.call('/plain'));
    const other = await routes.call('/plain', {}, '127.0.0.2');
    expect([other.status, other.header('ratelimit-remaining')]).toEqual([200, '1']);
  });

  it('advanced_rate_limiter counts two routes together by their costs, over a change of its config', async () => {
    const shared = { limit: 10, namespace: 'api', ...hour };
    await routes.protect('cheap', 'advanced_rate_limiter', shared);
    await routes.protect('dear', 'advanced_rate_limiter', { ...shared, cost: 6 });
    await routes.until(200, '/cheap');
    expect((await routes.until(200, '/dear')).header('ratelimit-remaining')).toBe('3');
    expectLimited(await routes.call('/dear'));
    for (const left of ['2', '1', '0']) expect((await routes.call('/cheap')).header('ratelimit-remaining')).toBe(left);
    expectLimited(await routes.call('/cheap'));
    // What was counted stays, and is compared with the new number.
    const change = { config: { ...shared, limit: 11 } };
    await routes.admin('PATCH', `/plugins/${await pluginOf(routes, 'cheap')}`, change);
    expect((await routes.until(200, '/cheap')).header('ratelimit-remaining')).toBe('0');
    expectLimited(await routes.call('/cheap'));
  });

  it('response_rate_limiter charges what the upstream says, and what ends without an answer', async () => {
    const config = { limit: 10, cost_header: 'X-Cost', ...hour };
    await routes.protect('costs', 'response_rate_limiter', config, 'costly');
    const first = await routes.until(200, '/costs/dear');
    expect([first.header('x-cost'), first.header('ratelimit-remaining')]).toEqual([undefined, '3']);
    const second = await routes.call('/costs/plain');
    expect([second.header('x-cost'), second.header('ratelimit-remaining')]).toEqual([undefined, '2']);
    expect((await routes.call('/costs/cut')).status).toBe(502);
    expect((await routes.call('/costs/dear')).header('ratelimit-remaining')).toBe('0');
    const sent = costly.requests.length;
    expectLimited(await routes.call('/costs/dear'));
    expect(costly.requests).toHaveLength(sent);
  });

  it('response_rate_limiter holds what a request may cost, and charges it when its client leaves', async () => {
    await routes.protect('held', 'response_rate_limiter', { limit: 2, ...hour }, 'costly');
    await routes.until(200, '/held');
    const leaving = new AbortController();
    const left = fetch(`${routes.stack.gatewayUrl}/held/never`, { signal: leaving.signal });
    await eventually(() => costly.requests.at(-1)?.url.endsWith('/never'));
    const whileHeld = await routes.call('/held');
    expectLimited(whileHeld);
    expect([whileHeld.header('retry-after'), whileHeld.header('ratelimit-remaining')]).toEqual(['1', '1']);
    leaving.abort();
    await expect(left).rejects.toThrow(/abort/);
    // A refusal is not counted: asking changes nothing.
    await eventually(async () => (await routes.call('/held')).header('ratelimit-remaining') === '0');
    const charged = await routes.call('/held');
    expectLimited(charged);
    expect(Number(charged.header('retry-after'))).toBeGreaterThan(1);
  });
});

/** ID of the instance on a route. */
async function pluginOf(routes: ProtectedRoutes, route: string): Promise<string> {
  const { items } = await routes.admin('GET', '/plugins?limit=100');
  const found = (items as readonly { id: string; route_id?: string }[]).find((one) => one.route_id === route);
  expect(found, `a plugin on ${route}`).toBeDefined();
  return found?.id ?? '';
}

/** @throws an assertion error when an answer is no refusal that says when to come back, or its request reached the upstream */
function expectLimited(called: Called): void {
  expect(called.status, called.body).toBe(429);
  expect(JSON.parse(called.body)).toMatchObject({ status: 429, code: 'rate_limited' });
  const [, seconds] = /;t=(\d+)$/.exec(called.header('ratelimit') ?? '') ?? [];
  expect(Number(seconds)).toBeGreaterThan(0);
  expect(Number(called.header('retry-after'))).toBeGreaterThanOrEqual(Number(seconds));
  expect(called.upstream).toBeUndefined();
}
