import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase, type DatabaseUnderTest } from '../database/each-database.test-support.ts';
import { password, startTestService, type TestService } from '../testing/test-service.test-support.ts';

/** One case for each rule of spec, Authentication, that this service alone decides; 8 and 9 are those of plugins and drivers. */
describeOnEachDatabase('the rules of authentication', (context) => {
  let service: TestService;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const slug of ['acme', 'globex']) await service.addTenant(slug);
    for (const role of ['admin', 'writer', 'reader'] as const) tokens[role] = await service.addUser('acme', role, role);
    for (const scope of ['read', 'write']) {
      const body = { tenant_id: 'acme', name: scope, scopes: [`admin:${scope}`] };
      tokens[`${scope} token`] = (await service.call('POST', '/api/v1/admin/api-tokens', body)).body.token;
    }
    tokens['super admin'] = service.token;
  });
  afterAll(() => service.stop());

  const call = (who: string, method: string, path: string, body?: unknown) =>
    service.call(method, `/api/v1/admin${path}`, body, { token: tokens[who] ?? who });
  const statuses = (callers: readonly string[], method: string, path: string, body?: object): Promise<number[]> =>
    Promise.all(callers.map(async (who) => (await call(who, method, path, body)).status));

  it('1: every request carries a bearer token, and one of this deployment', async () => {
    const missing = await call('', 'GET', '/gateways');
    expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="portcullis"']);
    let elsewhere: DatabaseUnderTest | undefined;
    let other: TestService | undefined;
    try {
      elsewhere = await context.fresh();
      other = await startTestService(elsewhere.url);
      await other.addTenant('acme');
      const robot = { tenant_id: 'acme', name: 'robot', scopes: ['admin:read'] };
      const { token } = (await other.call('POST', '/api/v1/admin/api-tokens', robot)).body;
      for (const stranger of [token, other.token, await other.addUser('acme', 'admin', 'admin')]) {
        expect((await call(stranger, 'GET', '/gateways?tenant_id=acme')).status).toBe(401);
      }
    } finally {
      await other?.stop();
      await elsewhere?.remove();
    }
  });

  it('2: a token of the API begins with gwadm_, and its scopes open reads and writes', async () => {
    const robots = ['read token', 'write token'];
    for (const robot of robots) expect(tokens[robot]).toMatch(/^gwadm_/);
    expect(await statuses(robots, 'GET', '/workspaces')).toEqual([200, 403]);
    expect(await statuses(robots, 'POST', '/workspaces', { name: 'two' })).toEqual([403, 201]);
    expect(await statuses(robots, 'PATCH', '/workspaces/two', { description: 'd' })).toEqual([403, 200]);
    expect(await statuses(robots, 'DELETE', '/workspaces/two')).toEqual([403, 204]);
    expect(await statuses(robots, 'PUT', '/consumers/two', { username: 'two' })).toEqual([403, 201]);
  });

  it('3: a login gives an access token and a refresh token; the audit list takes such an access token only', async () => {
    const { body } = await service.call('POST', '/auth/login', { username: 'reader', password, tenant_id: 'acme' });
    expect(body).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
    expect((await call(body.refresh_token, 'GET', '/workspaces')).status).toBe(401);
    expect(await statuses(['reader', 'read token', 'write token'], 'GET', '/audits/')).toEqual([200, 401, 401]);
  });

  it('4: reads take any role, writes a writer or an administrator; who has no tenant names one', async () => {
    const people = ['admin', 'writer', 'reader'];
    expect(await statuses(people, 'GET', '/workspaces')).toEqual([200, 200, 200]);
    const writes = people.map((who) => call(who, 'POST', '/workspaces', { name: `by ${who}` }));
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([201, 201, 403]);
    for (const [method, path, body] of [
      ['GET', '/gateways', undefined],
      ['POST', '/workspaces', { name: 'homeless' }],
      ['GET', '/workspaces/any', undefined],
      ['DELETE', '/workspaces/any', undefined],
    ] as const) {
      const answer = await call('super admin', method, path, body);
      expect([answer.status, answer.body.detail], `${method} ${path}`).toEqual([400, 'tenant_id is required']);
    }
  });

  it('5: each family finds the tenant in its own way, and never from a name', async () => {
    const summary = '/observability/summary?tenant_id=';
    expect(await statuses(['admin', 'read token'], 'GET', `${summary}acme`)).toEqual([200, 200]);
    expect(await statuses(['admin', 'read token'], 'GET', `${summary}globex`)).toEqual([403, 403]);
    const audits = await call('admin', 'GET', '/audits/?tenant_id=globex');
    expect(new Set(audits.body.items.map(({ tenant_id: id }: { tenant_id: string }) => id))).toEqual(new Set(['acme']));
    const mismatch = await call('super admin', 'POST', '/config/sync?tenant_id=acme', {
      tenant_id: 'globex',
      gateways: [],
    });
    expect([mismatch.status, mismatch.body.code]).toEqual([400, 'tenant_mismatch']);
    await call('super admin', 'POST', '/workspaces', { tenant_id: 'globex', name: 'only theirs' });
    expect((await call('super admin', 'GET', '/workspaces/only theirs')).status).toBe(400);
    expect((await call('admin', 'GET', '/workspaces/only theirs')).status).toBe(404);
  });

  it('6: the metrics ask for no token', async () => {
    expect((await service.call('GET', '/metrics', undefined, { token: '' })).status).toBe(200);
  });

  it('7: whoever belongs to a tenant and names another is refused, also one that does not exist', async () => {
    for (const who of ['admin', 'writer', 'reader', 'read token']) {
      for (const tenant of ['globex', 'nowhere']) {
        const answer = await call(who, 'GET', `/gateways?tenant_id=${tenant}`);
        expect([answer.status, answer.body.detail], `${who} ${tenant}`).toEqual([403, 'Cannot access another tenant']);
      }
    }
    const written = await call('write token', 'POST', '/workspaces', { tenant_id: 'globex', name: 'theirs' });
    expect([written.status, written.body.code]).toEqual([403, 'cross_tenant']);
  });
});
