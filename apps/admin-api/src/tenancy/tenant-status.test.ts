import { eventually } from '@portcullis/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { password, startTestService, type TestService } from '../testing/test-service.test-support.ts';

const tenants = '/api/v1/admin/tenants';
/** Ends work within this on every replica. Source: wire contract, Paths and small rules. */
const noticeMs = 5_000;

describeOnEachDatabase('the state of a tenant', (context) => {
  let service: TestService;
  /** Where callers are asked for: another replica where the database can be shared, else the same. */
  let replica: TestService;
  beforeAll(async () => {
    service = await startTestService(context.url());
    replica = context.dialect === 'postgres' ? await startTestService(context.url()) : service;
  });
  afterAll(async () => {
    await service.stop();
    if (replica !== service) await replica.stop();
  });

  const change = (id: string, verb: string) => service.call('POST', `${tenants}/${id}/${verb}`);
  const login = (tenantId: string) =>
    replica.call('POST', '/auth/login', { username: 'user', password, tenant_id: tenantId }, { token: '' });
  const status = async (path: string, token: string): Promise<number> =>
    (await replica.call('GET', path, undefined, { token })).status;

  it('inactive shuts out users, sessions and tokens everywhere, and active lets the same ones in', async () => {
    await service.addTenant('swing');
    await service.call('POST', '/api/v1/admin/users', {
      tenant_id: 'swing',
      username: 'user',
      password,
      role: 'admin',
    });
    const { access_token: access, refresh_token: refresh } = (await login('swing')).body;
    const made = { tenant_id: 'swing', name: 'robot', scopes: ['admin:read'] };
    const { token } = (await service.call('POST', '/api/v1/admin/api-tokens', made)).body;
    const inTenant = '?tenant_id=swing';
    const gateway = await service.call('POST', `/api/v1/admin/gateways${inTenant}`, { name: 'edge' });
    const node = { name: 'node', gateway_id: gateway.body.id };
    const dataPlane = (await service.call('POST', `/api/v1/admin/data-planes${inTenant}`, node)).body.token;
    const seen = () =>
      Promise.all([
        status('/tenants/current', access),
        status('/tenants/current', token),
        status('/api/v1/data-plane/config', dataPlane),
      ]);
    expect(await seen()).toEqual([200, 200, 200]);

    const deactivated = await change('swing', 'deactivate');
    expect([deactivated.status, deactivated.body]).toMatchObject([200, { id: 'swing', status: 'inactive' }]);
    await eventually(async () => expect(await seen()).toEqual([401, 401, 401]), { timeoutMs: noticeMs });
    const refused = await login('swing');
    const wrong = await login('never-was');
    expect({ ...refused.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' });
    expect(refused.status).toBe(401);
    const refreshed = () => replica.call('POST', '/auth/refresh', { refresh_token: refresh }, { token: '' });
    expect((await refreshed()).status).toBe(401);
    expect(await status('/api/v1/admin/gateways?tenant_id=swing', replica.token)).toBe(200);

    expect((await change('swing', 'activate')).body).toMatchObject({ status: 'active' });
    await eventually(async () => expect(await seen()).toEqual([200, 200, 200]), { timeoutMs: noticeMs });
    expect((await refreshed()).status).toBe(200);
    expect((await login('swing')).status).toBe(200);
  });

  it.each([
    ['deactivated', 'POST', '/deactivate'],
    ['deleted', 'DELETE', ''],
  ])('ends the open streams of data planes when it is %s', async (name, method, verb) => {
    await service.addTenant(name);
    const inTenant = `?tenant_id=${name}`;
    const gateway = await service.call('POST', `/api/v1/admin/gateways${inTenant}`, { name: 'edge' });
    const node = { name: 'node', gateway_id: gateway.body.id };
    const { token } = (await service.call('POST', `/api/v1/admin/data-planes${inTenant}`, node)).body;
    const stream = await fetch(`${replica.url}/api/v1/data-plane/stream`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(noticeMs),
    });
    expect(stream.status).toBe(200);
    expect((await service.call(method, `${tenants}/${name}${verb}`)).status).toBeLessThan(300);
    // Reading to the end fails when the stream is cut by the time limit instead of ended.
    expect(await stream.text()).toMatch(/^event: revision/);
  });

  it('changes once and is refused a second time, with nothing written', async () => {
    await service.addTenant('latch');
    expect((await change('latch', 'activate')).body).toMatchObject({ status: 409, code: 'invalid_state' });
    const first = await change('latch', 'deactivate');
    expect(first.headers.get('etag')).toBe('"2"');
    const again = await change('latch', 'deactivate');
    expect([again.status, again.body.code]).toEqual([409, 'invalid_state']);
    expect((await service.call('GET', `${tenants}/latch`)).body).toEqual(first.body);
    expect((await service.call('PATCH', `${tenants}/latch`, { name: 'Renamed' })).body).toMatchObject({
      status: 'inactive',
      revision: 3,
    });
    expect((await change('nobody', 'deactivate')).status).toBe(404);
    const { body } = await service.call(
      'GET',
      '/api/v1/admin/audits/?tenant_id=latch&entity=tenant&sort_direction=asc',
    );
    expect(
      body.items.map(({ action, actor_username: who, tenant_id: tenant }: Record<string, unknown>) => [
        action,
        who,
        tenant,
      ]),
    ).toEqual(['create', 'deactivate', 'update'].map((action) => [action, 'admin', 'latch']));
    expect(body.items[1]).toMatchObject({ before: { status: 'active' }, after: { status: 'inactive' } });
  });

  it('changes once only, when several ask at the same time', async () => {
    await service.addTenant('rush');
    const answers = await Promise.all(Array.from({ length: 6 }, () => change('rush', 'deactivate')));
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409]);
  });

  it('gone leaves all it owned to super administrators, who can read and not write it', async () => {
    await service.addTenant('relic');
    const token = await service.addUser('relic', 'user', 'admin');
    await service.call('POST', '/api/v1/admin/workspaces', { tenant_id: 'relic', name: 'left' });
    await change('relic', 'deactivate');
    expect((await service.call('DELETE', `${tenants}/relic`)).status).toBe(204);
    await eventually(async () => expect(await status('/tenants/current', token)).toBe(401), { timeoutMs: noticeMs });
    expect((await login('relic')).status).toBe(401);
    for (const path of ['workspaces', 'users']) {
      const { body } = await service.call('GET', `/api/v1/admin/${path}?tenant_id=relic`);
      expect(body.total, path).toBe(1);
    }
    const written = await service.call('POST', '/api/v1/admin/workspaces', { tenant_id: 'relic', name: 'more' });
    expect([written.status, written.body.code]).toEqual([403, 'cross_tenant']);
    for (const verb of ['activate', 'impersonate']) expect((await change('relic', verb)).status, verb).toBe(404);
  });
});
