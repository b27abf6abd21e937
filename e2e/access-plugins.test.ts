import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProtectedRoutes } from './support/protected-routes.ts';
import type { Called, ProtectedRoutes } from './support/protected-routes.ts';

/** @throws an assertion error when the answer is not this problem, or the request reached the upstream */
function expectProblem(called: Called, status: number, code: string): void {
  expect(called.status, called.body).toBe(status);
  expect(called.header('content-type')).toContain('application/problem+json');
  expect(JSON.parse(called.body)).toMatchObject({ status, code, request_id: expect.any(String) as unknown });
  expect(called.upstream).toBeUndefined();
}

describe('who may come, and answers of the gateway itself, through a real control plane and gateway', () => {
  let routes: ProtectedRoutes;
  beforeAll(async () => {
    routes = await startProtectedRoutes();
  });
  afterAll(() => routes[Symbol.asyncDispose]());

  it('ip_whitelist lets listed addresses through, whatever a client says that its address is', async () => {
    const many = Array.from({ length: 2000 }, (_, at) => `10.${at >> 8}.${at & 255}.0/24`);
    await routes.protect('listed', 'ip_whitelist', { allowed_ips: [...many, '127.0.0.2', '::ffff:127.0.0.4/127'] });
    expect((await routes.until(200, '/listed', undefined, '127.0.0.2')).upstream).toBeDefined();
    expect((await routes.call('/listed', {}, '127.0.0.5')).status).toBe(200);
    expectProblem(await routes.call('/listed', {}, '127.0.0.3'), 403, 'forbidden');
    expectProblem(await routes.call('/listed', { 'x-forwarded-for': '127.0.0.2' }, '127.0.0.3'), 403, 'forbidden');
  });

  it('ip_blacklist refuses listed addresses', async () => {
    await routes.protect('unlisted', 'ip_blacklist', { blocked_ips: ['127.0.0.3', '2001:db8::/32'] });
    expect((await routes.until(200, '/unlisted')).upstream).toBeDefined();
    expectProblem(await routes.call('/unlisted', { 'x-forwarded-for': '127.0.0.1' }, '127.0.0.3'), 403, 'forbidden');
  });

  it('acl_control lets consumers of a group through, and sessions with a role', async () => {
    await routes.consumer('ann', { type: 'api_key', key: 'the-key-of-ann-1' });
    await routes.consumer('ben', { type: 'api_key', key: 'the-key-of-ben-1' });
    await routes.admin('POST', '/consumer-groups', { name: 'staff', consumers: ['ann'] });
    await routes.protect('staff', 'acl_control', { allowed_groups: ['staff'] });
    expectProblem(await routes.until(401, '/staff'), 401, 'unauthenticated');
    const before = (name: string, route: string, config: object) =>
      routes.admin('POST', '/plugins', { name, scope: 'route', route_id: route, priority: 1000, config });
    await before('api_key_auth', 'staff', { valid_keys: [] });
    const ann = await routes.until(200, '/staff', () => ({ 'x-api-key': 'the-key-of-ann-1' }));
    expect(ann.upstream?.headers['x-consumer-username']).toBe('ann');
    expectProblem(
      await routes.call('/staff', { 'x-api-key': 'the-key-of-ben-1', 'x-consumer-groups': 'staff' }),
      403,
      'forbidden',
    );

    await routes.protect('editors', 'acl_control', { allowed_roles: ['editor'] });
    const sessions = { 'the-session-of-eve': { roles: ['editor'] }, 'the-session-of-val': { roles: ['viewer'] } };
    await before('session_cookie_auth', 'editors', { valid_sessions: sessions });
    await routes.until(200, '/editors', () => ({ cookie: 'session=the-session-of-eve' }));
    expectProblem(await routes.call('/editors', { cookie: 'session=the-session-of-val' }), 403, 'forbidden');
  });

  it('bot_detection_basic refuses clients by their User-Agent', async () => {
    await routes.protect('people', 'bot_detection_basic', {
      user_agent_deny_patterns: ['(crawl|scrap)er'],
      allowed_user_agents: ['^GoodCrawler/'],
      block_missing_user_agent: true,
    });
    const as = (agent: string) => ({ 'user-agent': agent });
    await routes.until(200, '/people', () => as('Mozilla/5.0'));
    expect((await routes.call('/people', as('GoodCrawler/2'))).status).toBe(200);
    expectProblem(await routes.call('/people', as('my Scraper')), 403, 'forbidden');
    expectProblem(await routes.call('/people'), 403, 'forbidden');
    const bad = {
      name: 'bot_detection_basic',
      scope: 'route',
      route_id: 'people',
      config: { deny_user_agents: ['(?=a)'] },
    };
    const refused = await routes.stack.admin.call('POST', '/api/v1/admin/plugins?tenant_id=default', bad);
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain('/config/deny_user_agents/0');
  });

  it('request_termination ends requests with certain headers', async () => {
    await routes.protect('versions', 'request_termination', {
      header_equals: { 'X-Client-Version': '1.0' },
      status_code: 426,
      message: 'please update your client',
    });
    await routes.until(200, '/versions', () => ({ 'x-client-version': '2.0' }));
    const ended = await routes.call('/versions', { 'x-client-version': '1.0' });
    expectProblem(ended, 426, 'terminated');
    expect(JSON.parse(ended.body)).toMatchObject({ detail: 'please update your client' });
  });

  it('mock_response answers every method, and HEAD without the body', async () => {
    await routes.protect('mock', 'mock_response', { body: { name: 'größe' }, status_code: 203 });
    const got = await routes.until(203, '/mock/anything');
    expect([got.header('content-type'), JSON.parse(got.body), got.upstream]).toEqual([
      'application/json',
      { name: 'größe' },
      undefined,
    ]);
    const url = `${routes.stack.gatewayUrl}/mock`;
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      203,
      got.header('content-length'),
      '',
    ]);
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(100_000) })).status).toBe(203);
    expect(routes.stack.upstream.requests).toEqual([]);
  });

  it('redirect sends clients to the configured host and to no other', async () => {
    await routes.protect('moved', 'redirect', {
      url: 'https://new.example/shop?from=old',
      preserve_path: true,
      preserve_query: true,
      status_code: 308,
    });
    const moved = await routes.until(308, '/moved/cart/7?size=2');
    expect(moved.header('location')).toBe('https://new.example/shop/moved/cart/7?from=old&size=2');
    expect(moved.upstream).toBeUndefined();
    for (const path of [
      '/moved//evil.test/',
      '/moved/%2e%2e//evil.test',
      '/moved/@evil.test',
      '/moved/%2F%2Fevil.test',
    ]) {
      const { status, ...called } = await routes.call(path);
      const leadsTo = called.header('location') ?? 'https://new.example';
      expect([status === 308 || status === 400 || status === 404, new URL(leadsTo).host], path).toEqual([
        true,
        'new.example',
      ]);
    }
  });
});
