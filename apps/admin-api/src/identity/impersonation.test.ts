import { FakeClock } from '@portcullis/testkit';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { password, silentLog, startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { mintToken } from './opaque-token.ts';

describeOnEachDatabase('impersonation', (context) => {
  const clock = new FakeClock({ nowMs: Date.now() });
  const logged: Readonly<Record<string, unknown>>[] = [];
  let service: TestService;
  beforeAll(async () => {
    const log = { ...silentLog, info: (facts: Readonly<Record<string, unknown>>) => logged.push(facts) };
    service = await startTestService(context.url(), { nowMs: clock.nowMs, monotonicMs: clock.monotonicMs, log });
    for (const slug of ['acme', 'globex']) await service.addTenant(slug);
  });
  afterAll(() => service.stop());

  interface Impersonation {
    readonly access_token: string;
    readonly impersonation_id: string;
  }
  const begin = async (as: string = service.token, tenant = 'acme'): Promise<Impersonation> => {
    const answer = await service.call('POST', `/api/v1/admin/tenants/${tenant}/impersonate`, undefined, { token: as });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  const call = (token: string, method: string, path: string, body?: unknown) =>
    service.call(method, `/api/v1/admin${path}`, body, { token });
  /** Until when every replica has noticed that something ended. Source: wire contract, Paths and small rules. */
  const noticed = (): void => clock.advance(5_000);
  const isIn = async ({ access_token: token }: Impersonation): Promise<boolean> =>
    (await call(token, 'GET', '/tenants/current')).status === 200;
  /** Another super administrator, logged in. */
  const chief = async (username: string) => {
    // The first login is over when the clock has moved far enough.
    const root = await service.login('admin');
    const made = await call(root, 'POST', '/users', { username, password, role: 'super_admin' });
    const login = await service.call('POST', '/auth/login', { username, password }, { token: '' });
    expect([made.status, login.status]).toEqual([201, 200]);
    return {
      id: made.body.id as string,
      token: login.body.access_token as string,
      refresh: login.body.refresh_token as string,
    };
  };

  it('gives a token that says what it is, for a quarter of an hour and without a refresh token', async () => {
    const answer = await service.call('POST', '/admin/tenants/acme/impersonate');
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      impersonation_id: expect.any(String),
      tenant_id: 'acme',
    });
    const claims = decodeJwt(answer.body.access_token);
    expect(claims).toMatchObject({
      act: { sub: claims.sub },
      tenant_id: 'acme',
      impersonation_id: answer.body.impersonation_id,
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(900);
    const ordinary = decodeJwt(service.token);
    expect([ordinary['act'], ordinary['tenant_id']]).toEqual([undefined, undefined]);
  });

  it('makes an administrator of that tenant and nothing more', async () => {
    const { access_token: token } = await begin();
    expect((await call(token, 'GET', '/tenants/current')).body).toMatchObject({ id: 'acme' });
    expect((await call(token, 'GET', '/tenants')).body.items.map(({ id }: { id: string }) => id)).toEqual(['acme']);
    const user = { username: 'made', password, role: 'admin' };
    expect((await call(token, 'POST', '/users', user)).body).toMatchObject({ tenant_id: 'acme', role: 'admin' });
    for (const [method, path, body, status] of [
      ['POST', '/tenants/globex/impersonate', undefined, 403],
      ['POST', '/tenants/acme/impersonate', undefined, 403],
      ['POST', '/tenants/acme/deactivate', undefined, 403],
      ['DELETE', '/tenants/acme', undefined, 403],
      ['POST', '/tenants', { name: 'New', slug: 'new' }, 403],
      ['PATCH', '/tenants/acme', { tenant_quota: 5 }, 422],
      ['GET', '/tenants/globex', undefined, 404],
      ['GET', '/users?tenant_id=globex', undefined, 403],
      ['POST', '/users', { username: 'chief', password, role: 'super_admin' }, 422],
      ['PATCH', '/users/made', { role: 'super_admin' }, 422],
      ['POST', '/signing-keys/rotate', {}, 403],
      ['PATCH', '/users/admin', { description: 'mine' }, 404],
    ] as const) {
      expect((await call(token, method, path, body)).status, `${method} ${path}`).toBe(status);
    }
  });

  it('is only for super administrators themselves, and tenants that are active', async () => {
    const admin = await service.addUser('acme', 'regular', 'admin');
    const robot = { name: 'system robot', scopes: ['admin:read', 'admin:write'] };
    const token = (await call(service.token, 'POST', '/api-tokens', robot)).body.token;
    for (const as of [admin, token]) {
      expect((await call(as, 'POST', '/tenants/acme/impersonate')).status).toBe(403);
    }
    await service.addTenant('asleep');
    const before = await begin(service.token, 'asleep');
    await call(service.token, 'POST', '/tenants/asleep/deactivate');
    noticed();
    expect(await isIn(before)).toBe(false);
    const refused = await call(service.token, 'POST', '/tenants/asleep/impersonate');
    expect([refused.status, refused.body.code]).toEqual([409, 'invalid_state']);
    const unknown = await call(service.token, 'POST', '/tenants/nowhere/impersonate');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found']);
  });

  it('stands in the tenant’s audit log, as do the writes under it, with the super administrator’s name', async () => {
    await service.addTenant('watched');
    const own = await service.addUser('watched', 'watcher', 'admin');
    const { access_token: token, impersonation_id: id } = await begin(service.token, 'watched');
    const made = await call(token, 'POST', '/workspaces', { name: 'w' });
    await call(token, 'PATCH', `/workspaces/${made.body.id}`, { description: 'd' });
    await call(token, 'PATCH', '/tenants/watched', { name: 'Watched' });
    await call(token, 'DELETE', `/workspaces/${made.body.id}`);
    const { body } = await call(own, 'GET', '/audits/?sort_direction=asc');
    interface Act {
      readonly action: string;
      readonly entity_type: string;
      readonly actor_username: string;
      readonly metadata: { readonly impersonation?: { readonly id: string } } | null;
    }
    const acts = (body.items as Act[])
      .filter(({ metadata }) => metadata?.impersonation)
      .map((act) => [act.action, act.entity_type, act.actor_username, act.metadata?.impersonation?.id]);
    expect(acts).toEqual(
      [
        ['impersonate', 'tenant'],
        ['create', 'workspace'],
        ['update', 'workspace'],
        ['update', 'tenant'],
        ['delete', 'workspace'],
      ].map(([action, type]) => [action, type, 'admin', id]),
    );
    expect(
      (await call(token, 'GET', '/audits/?tenant_id=globex')).body.items.every(
        ({ tenant_id: tenantId }: { tenant_id: string }) => tenantId === 'watched',
      ),
    ).toBe(true);
  });

  it('is named in the access log beside who is behind it, and in no other line', async () => {
    const { access_token: token, impersonation_id: id } = await begin();
    logged.length = 0;
    await call(token, 'GET', '/gateways');
    await call(service.token, 'GET', '/tenants');
    const { sub } = decodeJwt(service.token);
    const lines = logged.map((facts) => [facts['operation'], facts['principal_id'], facts['impersonation_id']]);
    expect(lines).toEqual([
      ['listGateways', sub, id],
      ['listTenants', sub, undefined],
    ]);
  });

  it('ends after its time', async () => {
    // A login of its own, that is refreshed meanwhile.
    const { token } = await chief('patient');
    const impersonation = await begin(token);
    clock.advance(899_000);
    expect(await isIn(impersonation)).toBe(true);
    clock.advance(1_000);
    expect(await isIn(impersonation)).toBe(false);
  });

  it('ends with the login that began it, and with no other', async () => {
    const first = await chief('leaver');
    const second = await service.call('POST', '/auth/login', { username: 'leaver', password }, { token: '' });
    const [ending, staying] = [await begin(first.token), await begin(second.body.access_token)];
    expect([await isIn(ending), await isIn(staying)]).toEqual([true, true]);
    await service.call('POST', '/auth/logout', { refresh_token: first.refresh }, { token: '' });
    expect([await isIn(ending), await isIn(staying)]).toEqual([false, true]);
  });

  it.each([
    ['is disabled', (id: string, token: string) => call(token, 'PATCH', `/users/${id}`, { enabled: false })],
    ['is deleted', (id: string, token: string) => call(token, 'DELETE', `/users/${id}`)],
    [
      'has a new password',
      (id: string, token: string) => call(token, 'PATCH', `/users/${id}`, { password: 'another long password' }),
    ],
  ])('ends when the super administrator %s', async (name, change) => {
    const root = await service.login('admin');
    const { id, token } = await chief(`chief ${name}`);
    const impersonation = await begin(token);
    expect(await isIn(impersonation)).toBe(true);
    expect((await change(id, root)).status).toBeLessThan(300);
    noticed();
    expect(await isIn(impersonation)).toBe(false);
    if (name === 'is disabled') {
      await call(root, 'PATCH', `/users/${id}`, { enabled: true });
      noticed();
      expect(await isIn(impersonation)).toBe(false);
    }
  });

  it('is begun once under an Idempotency-Key', async () => {
    const token = await service.login('admin');
    const ask = (tenant: string) =>
      service.call('POST', `/api/v1/admin/tenants/${tenant}/impersonate`, undefined, {
        token,
        headers: { 'idempotency-key': 'once' },
      });
    const [first, again, other] = [await ask('acme'), await ask('acme'), await ask('globex')];
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(other.status).toBe(422);
    expect(await isIn(first.body)).toBe(true);
  });

  it('cannot be ended, prolonged or taken over by whoever reads its ID in the audit log', async () => {
    const impersonation = await begin(await service.login('admin'));
    const { token: forged } = mintToken('gwrt', { id: impersonation.impersonation_id });
    for (const path of ['/auth/refresh', '/auth/logout']) {
      expect((await service.call('POST', path, { refresh_token: forged }, { token: '' })).status).toBe(401);
    }
    expect(await isIn(impersonation)).toBe(true);
  });
});
