import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { engineWorld, tenantId } from './engine-world.test-support.ts';
import { password } from '../testing/test-service.test-support.ts';

describeOnEachDatabase('families with a behaviour of their own', (context) => {
  const { call, inTenant, make, rows } = engineWorld(context);

  it('a generated API key is shown once and stored as a hash only', async () => {
    await make('/consumers', { username: 'keyed' });
    const credential = await make('/consumer-credentials', { consumer_name: 'keyed', type: 'api_key', name: 'main' });
    expect(credential.key).toMatch(/^pk_.{32}$/);
    const read = await call('GET', inTenant(`/consumer-credentials/${credential.id}`));
    expect(read.body).not.toHaveProperty('key');
    expect(read.body.key_prefix).toBe(credential.key.slice(0, 6));
    const disabled = await call('PATCH', inTenant(`/consumer-credentials/${credential.id}`), { enabled: false });
    expect(disabled.body).toMatchObject({ enabled: false, key_prefix: read.body.key_prefix });
    const everything = JSON.stringify([await rows('resources'), await rows('audit_records')]);
    expect(everything).not.toContain(credential.key);
  });

  it('secrets of plugin configs are sealed and masked; a mask sent back keeps its secret, wherever it moved', async () => {
    const first = 'first-canary-key-0123456789';
    const second = 'second-canary-key-0123456789';
    const made = await make('/plugins', { name: 'api_key_auth', config: { valid_keys: [first, second] } });
    const [maskOfFirst, maskOfSecond] = made.config.valid_keys;
    expect(maskOfFirst).toMatch(/^\[redacted:[0-9a-f]{8}\]$/);
    expect(maskOfSecond).not.toBe(maskOfFirst);
    const changed = await call('PATCH', inTenant(`/plugins/${made.id}`), { config: { valid_keys: [maskOfSecond] } });
    expect(changed.body.config.valid_keys).toEqual([maskOfSecond]);
    const unknown = await call('PATCH', inTenant(`/plugins/${made.id}`), {
      config: { valid_keys: ['[redacted:00000000]'] },
    });
    expect(unknown).toMatchObject({
      status: 422,
      body: { code: 'secret_required', errors: [{ pointer: '/config/valid_keys/0' }] },
    });
    expect(
      (await call('POST', inTenant('/plugins'), { name: 'api_key_auth', config: { valid_keys: [maskOfSecond] } }))
        .status,
    ).toBe(422);
    const stored = JSON.stringify([await rows('resources'), await rows('audit_records')]);
    expect(stored).not.toContain(first);
    expect(stored).not.toContain(second);
  });

  it('built-in plugin packages are there for every tenant with schema and version', async () => {
    const list = await call('GET', `/plugin-packages?tenant_id=${tenantId}`);
    expect(list.body.items.map((item: { name: string }) => item.name)).toEqual(
      expect.arrayContaining(['api_key_auth', 'rate_limiter']),
    );
    const one = await call('GET', `/plugin-packages/rate_limiter?tenant_id=${tenantId}`);
    expect(one.body).toMatchObject({
      name: 'rate_limiter',
      config_schema: { type: 'object', additionalProperties: false },
    });
  });

  it('users: roles, passwords and names keep to their rules', async () => {
    const user = (body: object) =>
      call('POST', inTenant('/users'), { username: 'u', password, role: 'admin', ...body });
    expect((await user({ password: undefined })).body.errors).toMatchObject([
      { pointer: '/password', code: 'required' },
    ]);
    expect((await user({ password: 'password1' })).body.errors).toMatchObject([
      { pointer: '/password', code: 'weak_password' },
    ]);
    expect((await user({ role: 'super_admin' })).status).toBe(422);
    const made = await user({});
    expect(made.status).toBe(201);
    expect(JSON.stringify(made.body)).not.toMatch(/password/);
    expect((await user({})).status).toBe(409);
    const { access_token: own } = (await call('POST', '/auth/login', { username: 'u', password, tenant_id: tenantId }))
      .body;
    const asAdmin = { authorization: `Bearer ${own}` };
    expect((await call('GET', '/tenants/current', undefined, asAdmin)).body).toMatchObject({
      slug: tenantId,
      status: 'active',
    });
    expect((await call('GET', '/api/v1/admin/tenants', undefined, asAdmin)).body).toMatchObject({
      total: 1,
      items: [{ slug: tenantId }],
    });
    expect((await call('POST', '/api/v1/admin/tenants', { name: 'x', slug: 'x' }, asAdmin)).status).toBe(403);
    const raised = await call('PATCH', `/api/v1/admin/users/${made.body.id}`, { role: 'super_admin' }, asAdmin);
    expect(raised.status).toBe(422);
  });

  it('a tenant’s slug is its ID and is fixed', async () => {
    expect((await call('POST', '/api/v1/admin/tenants', { name: 'Again', slug: tenantId })).status).toBe(409);
    expect((await call('POST', '/api/v1/admin/tenants', { name: 'Other', slug: 'other', id: 'else' })).status).toBe(
      422,
    );
    expect((await call('PATCH', `/api/v1/admin/tenants/${tenantId}`, { slug: 'moved' })).status).toBe(422);
    expect((await call('PATCH', `/api/v1/admin/tenants/${tenantId}`, { name: 'Renamed' })).body).toMatchObject({
      id: tenantId,
      name: 'Renamed',
    });
  });

  it('a deleted tenant leaves what it owned, lets nobody in, and its slug is never given again', async () => {
    const tenants = '/api/v1/admin/tenants';
    expect((await call('POST', tenants, { name: 'Gone', slug: 'gone' })).status).toBe(201);
    const scoped = (path: string): string => `/api/v1/admin${path}?tenant_id=gone`;
    expect((await call('POST', scoped('/consumers'), { username: 'left' })).status).toBe(201);
    expect((await call('POST', scoped('/users'), { username: 'left', password, role: 'admin' })).status).toBe(201);
    expect((await call('DELETE', `${tenants}/gone`)).status).toBe(204);
    expect((await call('GET', `${tenants}/gone`)).status).toBe(404);
    expect((await call('GET', scoped('/consumers'))).body).toMatchObject({ total: 1, items: [{ username: 'left' }] });
    expect((await call('POST', scoped('/consumers'), { username: 'late' })).status).toBe(403);
    const login = await call('POST', '/auth/login', { username: 'left', password, tenant_id: 'gone' });
    expect(login.status).toBe(401);
    expect(await call('POST', tenants, { name: 'Again', slug: 'gone' })).toMatchObject({
      status: 409,
      body: { code: 'name_exists', errors: [{ pointer: '/slug' }] },
    });
  });
});
