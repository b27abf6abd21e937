import { describe, expect, it } from 'vitest';
import { fakeLogAnalytics } from '../../testing/fake-log-analytics.ts';
import { startFakeSystem } from '../../testing/fake-system.ts';
import { failing } from '../../testing/faults.ts';
import { failureOf, realWorld, stillClock } from '../../testing/sync.test-support.ts';
import { logAnalytics } from './index.ts';

const password = { username: 'admin', password: 'change me' };

describe('log analytics', () => {
  it('records the server, and how many saved searches it has', async () => {
    const server = { ...password, serverName: 'search-head-1', version: '9.4.1', savedSearches: 42 };
    await using system = await startFakeSystem(fakeLogAnalytics(server));
    const config = { base_url: system.url };
    expect(await logAnalytics.sync({ config, secrets: password, ...realWorld() })).toEqual({
      provider: 'splunk',
      base_url: system.url,
      auth_mode: 'basic',
      server_info_status: 200,
      saved_searches_status: 200,
      server_name: 'search-head-1',
      version: '9.4.1',
      saved_search_count: 42,
    });
    expect(system.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /services/server/info?output_mode=json',
      'GET /servicesNS/-/-/saved/searches?output_mode=json&count=1',
    ]);
  });

  it('sends the token where a password is given, too', async () => {
    await using system = await startFakeSystem(fakeLogAnalytics({ token: 'a-token', savedSearches: null }));
    const secrets = { ...password, token: 'a-token' };
    const metadata = await logAnalytics.sync({ config: { base_url: system.url }, secrets, ...realWorld() });
    expect(metadata).toMatchObject({ auth_mode: 'token', saved_search_count: null });
    expect(system.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer a-token', 'Bearer a-token']);
  });

  it('fails as a whole when the second request fails, and says so', async () => {
    await using system = await startFakeSystem(fakeLogAnalytics(password));
    system.fault = failing(403);
    system.faultPath = '/servicesNS/';
    const config = { base_url: system.url };
    const { code, metadata } = await failureOf(logAnalytics.sync({ config, secrets: password, ...realWorld() }));
    expect([code, metadata]).toEqual([
      'forbidden',
      { provider: 'splunk', base_url: system.url, auth_mode: 'basic', request: 'saved_searches', http_status: 403 },
    ]);
  });

  it('gives both requests one time of five seconds, and two to connect', async () => {
    await using system = await startFakeSystem(fakeLogAnalytics(password));
    const clock = stillClock();
    const times: unknown[] = [];
    await logAnalytics.sync({
      config: { base_url: system.url },
      secrets: password,
      clock,
      fetch: async (url, init) => {
        times.push([init.timeoutMs, init.connectTimeoutMs]);
        const response = await fetch(url, init);
        clock.advance(1500);
        return response;
      },
    });
    expect(times).toEqual([
      [5000, 2000],
      [3500, 2000],
    ]);
  });

  it('a host that could not connect in its time says so', async () => {
    const slow = () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'UND_ERR_CONNECT_TIMEOUT' } }));
    const error = new TypeError('fetch failed', {
      cause: Object.assign(new Error('Connect Timeout Error'), { code: 'UND_ERR_CONNECT_TIMEOUT' }),
    });
    const world = { config: { base_url: 'https://a.test:8089' }, secrets: password, clock: stillClock() };
    const failures = [
      await failureOf(logAnalytics.sync({ ...world, fetch: slow })),
      await failureOf(logAnalytics.sync({ ...world, fetch: () => Promise.reject(error) })),
    ];
    expect(failures.map(({ code }) => code)).toEqual(['unreachable', 'timeout']);
  });
});
