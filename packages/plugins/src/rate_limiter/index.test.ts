import { FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { PluginBench, problemOf, type TestRequest } from '../testing/plugin-bench.ts';
import { rateLimiter } from './index.ts';

const one = { limit: 1, window_seconds: 60 };

async function passes(bench: PluginBench, request?: TestRequest): Promise<boolean> {
  return (await bench.request(request)).result === 'continue';
}

describe('rate_limiter', () => {
  it('lets a client send what the limit says and no more, until the next window', async () => {
    const bench = new PluginBench(rateLimiter, { limit: 2, window_seconds: 60 });
    const inFirst = [await passes(bench), await passes(bench), await passes(bench), await passes(bench)];
    bench.clock.advance(60_000);
    expect([...inFirst, await passes(bench)]).toEqual([true, true, false, false, true]);
  });

  it('says the standing on an answer that passes', async () => {
    const bench = new PluginBench(rateLimiter, { limit: 100, window_seconds: 60 });
    bench.clock.advance(20_500);
    const { exchange } = await bench.request();
    exchange.setResponse({ status: 200, headers: [], source: 'upstream' });
    expect(exchange.response.headers.toPairs()).toEqual([
      'RateLimit-Policy',
      '"default";q=100;w=60',
      'RateLimit',
      '"default";r=99;t=40',
      'RateLimit-Limit',
      '100',
      'RateLimit-Remaining',
      '99',
      'RateLimit-Reset',
      '40',
      'X-RateLimit-Limit-Minute',
      '100',
      'X-RateLimit-Remaining-Minute',
      '99',
    ]);
  });

  it('refuses with the configured status and message, and with Retry-After no earlier than t', async () => {
    const bench = new PluginBench(rateLimiter, { ...one, error_code: 503, error_message: 'slow down' });
    bench.clock.advance(100);
    await bench.request();
    const { result, exchange } = await bench.request();
    expect(result).toBe('respond');
    expect(exchange.response.status).toBe(503);
    expect(problemOf(exchange)).toMatchObject({
      status: 503,
      code: 'rate_limited',
      detail: 'slow down',
      request_id: 'r1',
    });
    expect(exchange.response.headers.get('retry-after')).toBe('60');
    expect(exchange.response.headers.get('ratelimit')).toBe('"default";r=0;t=60');
  });

  it('answers 429 unless told otherwise', async () => {
    const bench = new PluginBench(rateLimiter, one);
    await bench.request();
    expect((await bench.request()).exchange.response.status).toBe(429);
  });

  it('does not count a refused request in any window', async () => {
    const bench = new PluginBench(rateLimiter, { second: 1, minute: 3 });
    expect([await passes(bench), await passes(bench), await passes(bench)]).toEqual([true, false, false]);
    bench.clock.advance(1000);
    const { exchange } = await bench.request();
    exchange.setResponse({ status: 200, headers: [], source: 'upstream' });
    expect(exchange.response.headers.get('x-ratelimit-remaining-minute')).toBe('1');
    expect(exchange.response.headers.get('ratelimit-policy')).toBe('"second";q=1;w=1, "minute";q=3;w=60');
    expect(exchange.response.headers.get('ratelimit')).toBe('"second";r=0;t=1, "minute";r=1;t=59');
    expect(exchange.response.headers.get('ratelimit-limit')).toBe('1');
  });

  it('names the exceeded limits only on a refusal', async () => {
    const bench = new PluginBench(rateLimiter, {
      limits: [
        { limit: 1, window_seconds: 10, name: 'burst' },
        { limit: 9, window_seconds: 90 },
      ],
    });
    await bench.request();
    const { headers } = (await bench.request()).exchange.response;
    expect([headers.get('ratelimit'), headers.get('retry-after')]).toEqual(['"burst";r=0;t=10', '10']);
    expect(headers.get('x-ratelimit-limit-10')).toBe('1');
    expect(headers.get('x-ratelimit-remaining-90')).toBe('8');
  });

  it('leaves the limit headers out when told to, but says when to come back', async () => {
    const bench = new PluginBench(rateLimiter, { ...one, hide_client_headers: true });
    const passed = (await bench.request()).exchange;
    passed.setResponse({ status: 200, headers: [], source: 'upstream' });
    expect(passed.response.headers.toPairs()).toEqual([]);
    const names: string[] = [];
    (await bench.request()).exchange.response.headers.forEach((name) => names.push(name.toLowerCase()));
    expect(names).toEqual(['content-type', 'retry-after', 'content-length']);
  });

  it.each<[string, object, TestRequest, TestRequest, boolean]>([
    ['the same address', {}, {}, {}, false],
    ['another address', {}, { clientIp: '192.0.2.1' }, { clientIp: '192.0.2.2' }, true],
    ['limit_by ip', { limit_by: 'ip' }, { clientIp: '192.0.2.1' }, { clientIp: '192.0.2.2' }, true],
    ['identifier as another name of limit_by', { identifier: 'path' }, { path: '/a' }, { path: '/b' }, true],
    ['limit_by path, same path', { limit_by: 'path' }, { clientIp: '1.1.1.1' }, { clientIp: '2.2.2.2' }, false],
    ['limit_by header, other value', byHeader('x-acc'), { headers: ['X-Acc', 'a'] }, { headers: ['X-Acc', 'b'] }, true],
    [
      'limit_by header, same value',
      byHeader('x-acc'),
      { headers: ['X-Acc', 'a'] },
      { headers: ['x-acc', 'a'], clientIp: '9' },
      false,
    ],
    [
      'limit_by header, missing: the address',
      byHeader('x-acc'),
      { clientIp: '1.1.1.1' },
      { clientIp: '2.2.2.2' },
      true,
    ],
    ['a header that poses as an address', byHeader('x-acc'), {}, { headers: ['x-acc', 'ip:192.0.2.1'] }, true],
    ['limit_by service', { limit_by: 'service' }, service('s1'), service('s2'), true],
    ['limit_by route', { limit_by: 'route' }, route('r1'), route('r2'), true],
    ['limit_by route, the same', { limit_by: 'route' }, route('r1'), { ...route('r1'), clientIp: '9' }, false],
    ['a header alone', { header_name: 'x-a' }, { headers: ['x-a', 'a'] }, { headers: ['x-a', 'b'] }, true],
    [
      'a header alone, same value',
      { header_name: 'x-a' },
      { headers: ['x-a', 'a'] },
      { headers: ['x-a', 'a'], clientIp: '9' },
      false,
    ],
    ['a path alone', { path: '/in' }, { path: '/in' }, { path: '/in', clientIp: '9' }, false],
    ['scope route', { scope: 'route' }, route('r1'), route('r2'), true],
    ['scope global over routes', { scope: 'global' }, route('r1'), route('r2'), false],
    ['one path, whoever asks', byPath('/in'), { path: '/in' }, { path: '/in', clientIp: '9' }, false],
    ['another path: the address', byPath('/in'), { path: '/a' }, { path: '/b', clientIp: '9' }, true],
    ['another path, same address', byPath('/in'), { path: '/a' }, { path: '/b' }, false],
    [
      'long values that differ at the end',
      byHeader('x'),
      { headers: ['x', `${'a'.repeat(300)}1`] },
      { headers: ['x', `${'a'.repeat(300)}2`] },
      true,
    ],
  ])('counts who is told apart: %s', async (_name, config, first, second, isSecondFree) => {
    const bench = new PluginBench(rateLimiter, { ...one, ...config });
    await bench.request(first);
    expect(await passes(bench, second)).toBe(isSecondFree);
  });

  it('counts the addresses of one IPv6 network as one client', async () => {
    const bench = new PluginBench(rateLimiter, { limit: 1, window_seconds: 60, limit_by: 'ip' });
    const ask = async (clientIp: string) => (await bench.request({ clientIp })).result;
    expect(await ask('2001:db8:1:2::1')).toBe('continue');
    expect(await ask('2001:db8:1:2:aaaa::2')).toBe('respond');
    expect(await ask('2001:db8:1:3::1')).toBe('continue');
    expect(await ask('192.0.2.1')).toBe('continue');
    expect(await ask('192.0.2.2')).toBe('continue');
  });

  it('lets a request go when a window has passed since it came, with strategy sliding', async () => {
    const bench = new PluginBench(rateLimiter, { limit: 2, window_seconds: 60, strategy: 'sliding_window' });
    bench.clock.advance(40_000);
    expect(await passes(bench)).toBe(true);
    bench.clock.advance(10_000);
    expect([await passes(bench), await passes(bench)]).toEqual([true, false]);
    bench.clock.advance(49_999);
    const { exchange } = await bench.request();
    expect(exchange.response.headers.get('retry-after')).toBe('1');
    bench.clock.advance(1);
    expect([await passes(bench), await passes(bench)]).toEqual([true, false]);
  });

  it('begins months and years with the calendar, in UTC', async () => {
    const bench = new PluginBench(
      rateLimiter,
      { month: 1 },
      { clock: new FakeClock({ nowMs: Date.UTC(2028, 1, 29, 23, 59, 59) }) },
    );
    await bench.request();
    const { exchange } = await bench.request();
    expect(exchange.response.headers.get('retry-after')).toBe('1');
    bench.clock.advance(1000);
    expect(await passes(bench)).toBe(true);
  });

  it.each([-3_600_000, 3_600_000])('gives no new window when the clock is set by %i ms', async (byMs) => {
    const bench = new PluginBench(rateLimiter, one);
    await bench.request();
    bench.clock.setWall(bench.clock.nowMs() + byMs);
    expect(await passes(bench)).toBe(false);
    bench.clock.advance(60_000);
    expect(await passes(bench)).toBe(true);
  });

  it.each([
    ['no limit', {}, ''],
    ['a limit without a window', { limit: 1 }, ''],
    ['a window without a limit beside another form', { window_seconds: 1, day: 1 }, '/limit'],
    ['two forms: a pair and a period', { limit: 1, window_seconds: 1, day: 1 }, '/day'],
    ['two forms: a list and a period', { limits: [{ limit: 1, window_seconds: 1 }], day: 1 }, '/day'],
    [
      'two forms: a list and a pair',
      { limits: [{ limit: 1, window_seconds: 1 }], limit: 1, window_seconds: 2 },
      '/limits',
    ],
    ['a path that is not used', { minute: 1, limit_by: 'ip', path: '/a' }, '/path'],
    [
      'two limits of one window',
      {
        limits: [
          { limit: 1, window_seconds: 1 },
          { limit: 2, window_seconds: 1 },
        ],
      },
      '/limits',
    ],
    ['limit 0', { limit: 0, window_seconds: 1 }, '/limit'],
    ['a part of a request', { minute: 1.5 }, '/minute'],
    ['limit_by header without a name', { minute: 1, limit_by: 'header' }, '/header_name'],
    ['a header that is not used', { minute: 1, limit_by: 'ip', header_name: 'x' }, '/header_name'],
    ['a header and a path', { minute: 1, header_name: 'x', path: '/a' }, '/path'],
    ['two meanings of limit_by', { minute: 1, limit_by: 'ip', identifier: 'path' }, '/identifier'],
    [
      'two limits of one name',
      {
        limits: [
          { limit: 1, window_seconds: 1, name: 'a' },
          { limit: 2, window_seconds: 2, name: 'a' },
        ],
      },
      '/limits',
    ],
    ['a store of another kind', { minute: 1, policy: 'cluster' }, '/policy'],
    ['a sync_rate below 0', { minute: 1, policy: 'redis', sync_rate: -0.5 }, '/sync_rate'],
    ['a sync_rate of a moment', { minute: 1, policy: 'redis', sync_rate: 0.01 }, '/sync_rate'],
    ['a sync_rate above an hour', { minute: 1, policy: 'redis', sync_rate: 3601 }, '/sync_rate'],
    ['fault_tolerant as a word', { minute: 1, policy: 'redis', fault_tolerant: 'yes' }, '/fault_tolerant'],
    ['an unknown field', { minute: 1, minutes: 1 }, '/minutes'],
  ])('refuses a config with %s, naming the place', (_name, config, pointer) => {
    const compiled = rateLimiter.plugin.compile(config);
    expect(compiled.ok ? 'accepted' : compiled.issues.map((issue) => issue.pointer)).toContain(pointer);
  });

  it.each([-1, 0, 0.02, 0.5, 3600])('takes sync_rate %d, as Kong does', (rate) => {
    expect(rateLimiter.plugin.compile({ minute: 1, sync_rate: rate }).ok).toBe(true);
  });
});

function byHeader(name: string): object {
  return { limit_by: 'header', header_name: name };
}

function byPath(path: string): object {
  return { limit_by: 'path', path };
}

function service(id: string): TestRequest {
  return { facts: { service: { id, name: id } }, clientIp: id };
}

function route(id: string): TestRequest {
  return { facts: { route: { id, name: id } } };
}
