import { describe, expect, it } from 'vitest';
import { PluginBench, problemOf, type Ran, type TestRequest } from '../testing/plugin-bench.ts';
import { responseRateLimiter } from './index.ts';

const three = { limit: 3, window_seconds: 60 };

/** Sends a request and, when it passes, has an upstream answer it. */
async function ask(bench: PluginBench, status = 200, headers: string[] = [], request?: TestRequest): Promise<Ran> {
  const ran = await bench.request(request);
  if (ran.result === 'continue') await answer(bench, ran, status, headers);
  return ran;
}

async function answer(bench: PluginBench, { exchange }: Ran, status: number, headers: string[] = []): Promise<void> {
  exchange.setResponse({ status, headers, source: 'upstream' });
  await bench.chain.runResponse(exchange);
  exchange.end({ status, isComplete: true });
}

async function asks(bench: PluginBench, ...statuses: number[]): Promise<boolean[]> {
  const passed: boolean[] = [];
  for (const status of statuses) passed.push((await ask(bench, status)).result === 'continue');
  return passed;
}

describe('response_rate_limiter', () => {
  it.each([
    ['each response, whatever its status', three, [200, 404, 500, 200], [true, true, true, false]],
    ['a cost', { ...three, cost: 2 }, [200, 200], [true, false]],
    [
      'counted statuses only',
      { ...three, limit: 1, count_statuses: [401, 403] },
      [200, 404, 403, 200],
      [true, true, true, false],
    ],
    [
      'responses by cost with counted statuses',
      { ...three, cost: 3, count_statuses: [200] },
      [500, 200, 500],
      [true, true, false],
    ],
  ])('charges %s', async (_name, config, statuses, expected) => {
    expect(await asks(new PluginBench(responseRateLimiter, config), ...statuses)).toEqual(expected);
  });

  it.each<[string, object, string[], number]>([
    ['the number that the response names', {}, ['X-Cost', '2'], 1],
    ['a part of a unit, rounded up', {}, ['x-cost', '1.01'], 1],
    ['nothing for 0', {}, ['x-cost', '0'], 3],
    ['no more than all for a huge number', {}, ['x-cost', '9'.repeat(400)], 0],
    ['cost without the header', { cost: 2 }, ['X-Other', '3'], 1],
    ['cost for a negative number', {}, ['x-cost', '-5'], 2],
    ['cost for no number', {}, ['x-cost', 'NaN'], 2],
    ['cost for several lines', {}, ['x-cost', '3', 'x-cost', '0'], 2],
    ['cost for a list', {}, ['x-cost', '3, 0'], 2],
    ['nothing for no number where the cost is 0', { cost: 0 }, ['x-cost', 'all'], 3],
    ['nothing for a status that does not count', { count_statuses: [500] }, ['x-cost', '3'], 3],
  ])('charges %s, and shows the client no cost header', async (_name, config, headers, remaining) => {
    const bench = new PluginBench(responseRateLimiter, { ...three, cost_header: 'X-Cost', ...config });
    const { response } = (await ask(bench, 200, headers)).exchange;
    expect(response.headers.get('ratelimit')).toBe(`"default";r=${remaining};t=60`);
    expect(response.headers.has('x-cost')).toBe(false);
  });

  it('warns of a cost header that it cannot read, now and then', async () => {
    const warned: unknown[] = [];
    const log = { warn: (_message: string, details: unknown) => void warned.push(details), error: () => undefined };
    const bench = new PluginBench(
      responseRateLimiter,
      { limit: 99, window_seconds: 60, cost_header: 'X-Cost' },
      { log },
    );
    await ask(bench, 200, ['X-Cost', 'secret']);
    await ask(bench, 200, ['X-Cost', 'secret']);
    expect(warned).toMatchObject([{ header: 'X-Cost', request_id: 'r1' }]);
    bench.clock.advance(60_000);
    await ask(bench, 200, ['X-Cost', 'secret']);
    expect(warned).toHaveLength(2);
    expect(JSON.stringify(warned)).not.toContain('secret');
  });

  it('says the standing after the charge, and refuses until the window ends', async () => {
    const bench = new PluginBench(responseRateLimiter, { ...three, cost: 3 });
    const { response } = (await ask(bench)).exchange;
    expect(response.headers.toPairs()).toEqual([
      'RateLimit-Policy',
      '"default";q=3;w=60',
      'RateLimit',
      '"default";r=0;t=60',
      'RateLimit-Limit',
      '3',
      'RateLimit-Remaining',
      '0',
      'RateLimit-Reset',
      '60',
      'X-RateLimit-Limit-Minute',
      '3',
      'X-RateLimit-Remaining-Minute',
      '0',
    ]);
    bench.clock.advance(20_000);
    const { result, exchange } = await ask(bench);
    expect([result, exchange.response.status]).toEqual(['respond', 429]);
    expect(problemOf(exchange)).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(exchange.response.headers.get('retry-after')).toBe('40');
    bench.clock.advance(40_000);
    expect(await asks(bench, 200)).toEqual([true]);
  });

  it('names a wait that is true after a charge beyond the limit, with sliding', async () => {
    const config = { ...three, cost_header: 'x-cost', strategy: 'sliding' };
    const bench = new PluginBench(responseRateLimiter, config);
    await ask(bench, 200, ['x-cost', '1']);
    bench.clock.advance(10_000);
    await ask(bench, 200, ['x-cost', '9']);
    const { headers } = (await ask(bench)).exchange.response;
    expect([headers.get('retry-after'), headers.get('ratelimit')]).toEqual(['60', '"default";r=0;t=60']);
    bench.clock.advance(59_999);
    expect(await asks(bench, 200)).toEqual([false]);
    bench.clock.advance(1);
    expect(await asks(bench, 200)).toEqual([true]);
  });

  it('leaves the limit headers out when told to, and the cost header all the same', async () => {
    const config = { ...three, cost_header: 'X-Cost', hide_client_headers: true };
    const { response } = (await ask(new PluginBench(responseRateLimiter, config), 200, ['X-Cost', '1', 'X-B', 'c']))
      .exchange;
    expect(response.headers.toPairs()).toEqual(['X-B', 'c']);
  });

  it('counts clients, methods, paths and strategies as the other limiters do', async () => {
    const config = { limit: 1, window_seconds: 60, limit_by: 'ip', include_method: true, include_path: true };
    const bench = new PluginBench(responseRateLimiter, config);
    const asked: TestRequest[] = [
      { method: 'GET', path: '/a' },
      { method: 'PUT', path: '/a' },
      { method: 'GET', path: '/b' },
      { method: 'GET', path: '/a', clientIp: '192.0.2.9' },
      { method: 'GET', path: '/a' },
    ];
    const results: string[] = [];
    for (const request of asked) results.push((await ask(bench, 200, [], request)).result);
    expect(results).toEqual(['continue', 'continue', 'continue', 'continue', 'respond']);
  });

  it.each([
    ['no limit', { window_seconds: 1 }, '/limit', /required/],
    ['no window', { limit: 1 }, '/window_seconds', /required/],
    ['limit 0', { ...three, limit: 0 }, '/limit', /at least 1/],
    ['a negative cost', { ...three, cost: -1 }, '/cost', /at least 0/],
    ['a part of a unit', { ...three, cost: 0.5 }, '/cost', /whole/],
    ['a cost of nothing', { ...three, cost: 0 }, '/cost', /nothing is charged/],
    ['a cost above the limit', { ...three, cost: 4 }, '/cost', /no request passes/],
    ['a cost header that is none', { ...three, cost_header: 'x cost' }, '/cost_header', /header name/],
    ['a cost header that frames', { ...three, cost_header: 'Content-Length' }, '/cost_header', /gateway itself/],
    ['no statuses', { ...three, count_statuses: [] }, '/count_statuses', /empty/],
    ['a status that no response has', { ...three, count_statuses: [200, 99] }, '/count_statuses/1', /at least 200/],
    ['a word for a status', { ...three, count_statuses: ['five'] }, '/count_statuses/0', /class such as 5xx/],
    ['limit_by header without a name', { ...three, limit_by: 'header' }, '/header_name', /required/],
    ['a header that is not used', { ...three, limit_by: 'ip', header_name: 'x' }, '/header_name', /only used/],
    ['two meanings of limit_by', { ...three, limit_by: 'ip', identifier: 'path' }, '/identifier', /another name/],
    ['limits', { ...three, limits: [three] }, '/limits', /no field/],
  ])('refuses a config with %s, naming the place and the rule', (_name, config, pointer, rule) => {
    const compiled = responseRateLimiter.plugin.compile(config);
    const message = compiled.ok ? 'accepted' : compiled.issues.find((issue) => issue.pointer === pointer)?.message;
    expect(message).toMatch(rule);
  });

  it('accepts a cost above the limit, or none, where responses name their own', () => {
    const named = { ...three, cost_header: 'X-Cost' };
    expect([0, 4].map((cost) => responseRateLimiter.plugin.compile({ ...named, cost }).ok)).toEqual([true, true]);
  });
});
