import { describe, expect, it } from 'vitest';
import { PluginBench, problemOf, type TestRequest } from '../testing/plugin-bench.ts';
import { advancedRateLimiter } from './index.ts';

const one = { limit: 1, window_seconds: 60 };

async function passes(bench: PluginBench, request?: TestRequest): Promise<boolean> {
  return (await bench.request(request)).result === 'continue';
}

describe('advanced_rate_limiter', () => {
  it('takes the cost of each request, and refuses one that has not enough left', async () => {
    const bench = new PluginBench(advancedRateLimiter, { limit: 10, window_seconds: 60, cost: 4 });
    const { exchange: passed } = await bench.request();
    passed.setResponse({ status: 200, headers: [], source: 'upstream' });
    expect(passed.response.headers.get('ratelimit')).toBe('"default";r=6;t=60');
    expect([await passes(bench), await passes(bench), await passes(bench)]).toEqual([true, false, false]);
    bench.clock.advance(60_000);
    expect(await passes(bench)).toBe(true);
  });

  it('says the standing of all limits on an answer that passes', async () => {
    const limits = [
      { limit: 5, window_seconds: 1, name: 'burst' },
      { limit: 100, window_seconds: 60 },
    ];
    const { exchange } = await new PluginBench(advancedRateLimiter, { limits, cost: 2 }).request();
    exchange.setResponse({ status: 200, headers: [], source: 'upstream' });
    expect(exchange.response.headers.toPairs()).toEqual([
      'RateLimit-Policy',
      '"burst";q=5;w=1, "limit-2";q=100;w=60',
      'RateLimit',
      '"burst";r=3;t=1, "limit-2";r=98;t=60',
      'RateLimit-Limit',
      '5',
      'RateLimit-Remaining',
      '3',
      'RateLimit-Reset',
      '1',
      'X-RateLimit-Limit-Second',
      '5',
      'X-RateLimit-Remaining-Second',
      '3',
      'X-RateLimit-Limit-Minute',
      '100',
      'X-RateLimit-Remaining-Minute',
      '98',
    ]);
  });

  it('refuses with 429, a problem, the exceeded limits, and a Retry-After that is true', async () => {
    const bench = new PluginBench(advancedRateLimiter, { limit: 5, window_seconds: 60, cost: 3, strategy: 'sliding' });
    await bench.request();
    bench.clock.advance(10_000);
    const { result, exchange } = await bench.request();
    expect([result, exchange.response.status]).toEqual(['respond', 429]);
    expect(problemOf(exchange)).toMatchObject({ code: 'rate_limited', detail: 'the rate limit is exceeded' });
    const { headers } = exchange.response;
    expect([headers.get('retry-after'), headers.get('ratelimit')]).toEqual(['50', '"default";r=2;t=50']);
    bench.clock.advance(49_999);
    expect(await passes(bench)).toBe(false);
    bench.clock.advance(1);
    expect(await passes(bench)).toBe(true);
  });

  it('leaves the limit headers out when told to, but says when to come back', async () => {
    const bench = new PluginBench(advancedRateLimiter, { ...one, hide_client_headers: true });
    const { exchange: passed } = await bench.request();
    passed.setResponse({ status: 200, headers: [], source: 'upstream' });
    expect(passed.response.headers.toPairs()).toEqual([]);
    const { headers } = (await bench.request()).exchange.response;
    expect([headers.get('retry-after'), headers.get('ratelimit')]).toEqual(['60', undefined]);
  });

  it.each<[string, object, TestRequest, TestRequest, boolean]>([
    ['the same client', {}, {}, {}, false],
    ['methods together', {}, { method: 'GET' }, { method: 'PUT' }, false],
    ['include_method, another', { include_method: true }, { method: 'GET' }, { method: 'PUT' }, true],
    ['include_method, invented ones together', { include_method: true }, { method: 'AB' }, { method: 'CD' }, false],
    ['include_path, another', { include_path: true }, { path: '/a' }, { path: '/b' }, true],
    ['include_path, the same', { include_path: true }, { path: '/a', query: 'x' }, { path: '/a', query: 'y' }, false],
    [
      'include_path, long',
      { include_path: true },
      { path: `/${'a'.repeat(200)}b` },
      { path: `/${'a'.repeat(200)}c` },
      true,
    ],
    ['limit_by ip', { limit_by: 'ip' }, { clientIp: '192.0.2.1' }, { clientIp: '192.0.2.2' }, true],
    ['identifier path', { identifier: 'path' }, { path: '/a' }, { path: '/b' }, true],
    ['limit_by header', byHeader('x-a'), { headers: ['X-A', 'a'] }, { headers: ['X-A', 'b'] }, true],
    [
      'limit_by header, same',
      byHeader('x-a'),
      { headers: ['X-A', 'a'] },
      { headers: ['x-a', 'a'], clientIp: '9' },
      false,
    ],
    ['scope route', { scope: 'route' }, route('r1'), route('r2'), true],
    ['scope global', { scope: 'global' }, route('r1'), route('r2'), false],
    [
      'a path that poses as another and a client',
      { ...byHeader('x'), include_path: true },
      { path: '/a header x:b', headers: ['x', 'c'] },
      { path: '/a', headers: ['x', 'b header x:c'] },
      true,
    ],
  ])('counts who is told apart: %s', async (_name, config, first, second, isSecondFree) => {
    const bench = new PluginBench(advancedRateLimiter, { ...one, ...config });
    await bench.request(first);
    expect(await passes(bench, second)).toBe(isSecondFree);
  });

  it.each([
    ['no limit', {}, '', /at least one of limit with window_seconds, limits/],
    ['a limit without a window', { limit: 1 }, '', /at least one/],
    ['a list beside a window alone', { limits: [one], window_seconds: 1 }, '/limit', /go together/],
    ['a list beside a limit alone', { limits: [one], limit: 1 }, '/window_seconds', /go together/],
    ['two forms', { ...one, limits: [one] }, '/limits', /second form/],
    ['an empty list', { limits: [] }, '/limits', /empty/],
    ['two limits of one window', { limits: [one, { ...one, limit: 2, name: 'b' }] }, '/limits', /one window/],
    [
      'two limits of one name',
      {
        limits: [
          { ...one, name: 'a' },
          { limit: 1, window_seconds: 2, name: 'a' },
        ],
      },
      '/limits',
      /one name/,
    ],
    ['limit 0', { limit: 0, window_seconds: 1 }, '/limit', /at least 1/],
    ['a window of 367 days', { limit: 1, window_seconds: 31_708_800 }, '/window_seconds', /at most/],
    ['cost 0', { ...one, cost: 0 }, '/cost', /at least 1/],
    ['a part of a unit', { ...one, cost: 1.5 }, '/cost', /whole/],
    [
      'a cost that no limit has room for',
      { limits: [one, { limit: 9, window_seconds: 99 }], cost: 2 },
      '/cost',
      /smallest/,
    ],
    ['limit_by header without a name', { ...one, limit_by: 'header' }, '/header_name', /required/],
    ['a header that is not used', { ...one, limit_by: 'ip', header_name: 'x' }, '/header_name', /only used/],
    ['two meanings of limit_by', { ...one, limit_by: 'ip', identifier: 'path' }, '/identifier', /another name/],
    ['another strategy', { ...one, strategy: 'leaky' }, '/strategy', /one of/],
    ['an empty namespace', { ...one, namespace: '' }, '/namespace', /at least 1/],
    ['a long namespace', { ...one, namespace: 'n'.repeat(129) }, '/namespace', /at most 128/],
    ['a word for a flag', { ...one, include_path: 'yes' }, '/include_path', /true or false/],
    ['a field of rate_limiter', { ...one, minute: 1 }, '/minute', /no field/],
  ])('refuses a config with %s, naming the place and the rule', (_name, config, pointer, rule) => {
    const compiled = advancedRateLimiter.plugin.compile(config);
    const message = compiled.ok ? 'accepted' : compiled.issues.find((issue) => issue.pointer === pointer)?.message;
    expect(message).toMatch(rule);
  });
});

function byHeader(name: string): object {
  return { limit_by: 'header', header_name: name };
}

function route(id: string): TestRequest {
  return { facts: { route: { id, name: id } } };
}
