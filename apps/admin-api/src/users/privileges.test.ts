import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { type Answer, password, startTestService, type TestService } from '../testing/test-service.test-support.ts';

const roles = ['admin', 'writer', 'reader'] as const;

describeOnEachDatabase('nobody gets more than was given', (context) => {
  let service: TestService;
  const tokens: Record<string, string> = {};
  let root = '';
  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const slug of ['acme', 'globex']) await service.addTenant(slug);
    for (const role of roles) tokens[role] = await service.addUser('acme', role, role);
    const robot = { name: 'robot', scopes: ['admin:read', 'admin:write'] };
    const [own, system] = await Promise.all(
      [{ tenant_id: 'acme' }, {}].map((tenant) =>
        service.call('POST', '/api/v1/admin/api-tokens', { ...robot, ...tenant }),
      ),
    );
    const reading = { name: 'reading robot', scopes: ['admin:read'], tenant_id: 'acme' };
    const reader = await service.call('POST', '/api/v1/admin/api-tokens', reading);
    Object.assign(tokens, {
      robot: own?.body.token,
      'system robot': system?.body.token,
      'reading robot': reader.body.token,
    });
    root = (await service.call('GET', '/api/v1/admin/users')).body.items[0].id;
    await service.addUser('globex', 'stranger', 'admin');
  });
  afterAll(() => service.stop());

  const call = (as: string, method: string, path: string, body?: unknown): Promise<Answer> =>
    service.call(method, `/api/v1/admin${path}`, body, { token: tokens[as] ?? '' });
  const rolesNow = async (): Promise<Record<string, string>> => {
    const { body } = await service.call('GET', '/api/v1/admin/users?tenant_id=acme&limit=200');
    return Object.fromEntries(body.items.map(({ username, role }: Record<string, string>) => [username, role]));
  };

  it.each(['writer', 'reader', 'reading robot'])('%s may not manage people, tokens, tenants or keys', async (who) => {
    const before = await rolesNow();
    for (const [method, path, body] of [
      ['POST', '/users', { username: 'mine', password, role: 'reader' }],
      ['PATCH', `/users/${who}`, { role: 'admin' }],
      ['PATCH', '/users/admin', { password: 'another long password' }],
      ['DELETE', '/users/admin', undefined],
      ['POST', '/api-tokens', { name: 'mine', scopes: ['admin:read'] }],
      ['DELETE', '/api-tokens/any', undefined],
      ['POST', '/rbac/teams', { name: 'mine', roles: ['admin'], member_ids: [who] }],
      ['PATCH', '/rbac/teams/any', { roles: ['admin'] }],
      ['DELETE', '/rbac/teams/any', undefined],
      ['POST', '/tenants', { name: 'Mine', slug: 'mine' }],
      ['PATCH', '/tenants/acme', { name: 'Mine' }],
      ['DELETE', '/tenants/acme', undefined],
      ['POST', '/tenants/acme/impersonate', undefined],
      ['POST', '/signing-keys/rotate', { revoke_previous: true }],
    ] as const) {
      const answer = await call(who, method, path, body);
      expect([answer.status, answer.body.code], `${method} ${path}`).toEqual([403, 'forbidden']);
    }
    expect(await rolesNow()).toEqual(before);
  });

  it.each(['writer', 'reader', 'robot', 'system robot'])('%s may see people and tokens, and no secret', async (who) => {
    const tenant = who === 'system robot' ? '?tenant_id=acme' : '';
    for (const path of ['/users', '/users/admin', '/api-tokens', '/rbac/organizations']) {
      const answer = await call(who, 'GET', `${path}${tenant}`);
      expect(answer.status, path).toBe(200);
      expect(JSON.stringify(answer.body)).not.toMatch(/password|argon2|secret|token_id|"token"/);
    }
    expect((await call(who, 'GET', '/users?tenant_id=globex')).status).toBe(who === 'system robot' ? 200 : 403);
  });

  it('an administrator makes administrators of the own tenant and nothing above', async () => {
    const person = { username: 'high', password };
    for (const [method, path, body, status] of [
      ['POST', '/users', { ...person, role: 'super_admin' }, 422],
      ['POST', '/users', { ...person, role: 'super_admin', tenant_id: 'acme' }, 422],
      ['POST', '/users', { ...person, role: 'super_admin', tenant_id: null }, 422],
      ['POST', '/users', { ...person, role: 'admin', tenant_id: 'globex' }, 403],
      ['POST', '/users?tenant_id=globex', { ...person, role: 'admin' }, 403],
      ['POST', '/users?tenant_id=acme', { ...person, role: 'admin', tenant_id: 'globex' }, 400],
      ['POST', '/users?tenant_id=acme&tenant_id=globex', { ...person, role: 'admin' }, 400],
      ['PATCH', '/users/admin', { role: 'super_admin' }, 422],
      ['PATCH', '/users/reader', { role: 'super_admin' }, 422],
      ['PATCH', '/users/reader', { tenant_id: null }, 422],
      ['PATCH', '/users/reader', { password_hash: '$argon2id$v=19$m=8,t=1,p=1$AA$AA' }, 422],
      ['PATCH', '/users/reader', { id: root }, 422],
      ['PUT', '/users/reader', { username: 'reader', role: 'admin' }, 405],
      ['PUT', '/rbac/teams/any', { name: 'any' }, 405],
      ['POST', '/api-tokens', { name: 'wide', scopes: ['admin:super'] }, 422],
      ['POST', '/api-tokens', { name: 'wide', scopes: ['admin:read'], tenant_id: null }, 422],
      ['POST', '/api-tokens', { name: 'wide', scopes: ['admin:read'], tenant_id: 'globex' }, 403],
      ['POST', '/api-tokens', { name: 'wide', scopes: ['admin:read'], secret_hash: 'x' }, 422],
      ['POST', '/signing-keys/rotate', {}, 403],
    ] as const) {
      const answer = await call('admin', method, path, body);
      expect(answer.status, `${method} ${path} ${JSON.stringify(body)}`).toBe(status);
    }
  });

  it('an administrator never reaches a super administrator, by ID, by name or by naming no tenant', async () => {
    for (const id of [root, 'admin ']) {
      for (const [method, body] of [
        ['GET', undefined],
        ['PATCH', { enabled: false }],
        ['PATCH', { password: 'another long password' }],
        ['DELETE', undefined],
      ] as const) {
        for (const query of ['', '?tenant_id=', '?tenant_id=acme']) {
          const answer = await call('admin', method, `/users/${encodeURIComponent(id)}${query}`, body);
          expect(answer.status, `${method} ${id}${query}`).toBe(404);
        }
      }
    }
    const listed = await call('admin', 'GET', '/users?tenant_id=&limit=200');
    expect(listed.body.items.map(({ role }: { role: string }) => role)).not.toContain('super_admin');
    expect(await service.login('admin')).toBeTypeOf('string');
  });

  it('a user of a tenant with the ID and name of the super administrator is still only that', async () => {
    const twin = { tenant_id: 'acme', id: root, username: 'root twin', password, role: 'admin' };
    expect((await call('admin', 'POST', '/users', twin)).status).toBe(201);
    const token = await service.login('root twin', { tenantId: 'acme' });
    for (const path of ['/tenants/globex', `/users?tenant_id=globex`]) {
      expect((await service.call('GET', `/api/v1/admin${path}`, undefined, { token })).status).not.toBe(200);
    }
    expect((await service.call('PATCH', `/api/v1/admin/users/${root}`, { enabled: false }, { token })).status).toBe(
      200,
    );
    expect(await service.login('admin')).toBeTypeOf('string');
  });

  it('a token that may write manages people as an administrator does, and no super administrator', async () => {
    for (const [who, tenant] of [
      ['robot', ''],
      ['system robot', '?tenant_id=acme'],
    ] as const) {
      const person = { username: `made by ${who}`, password, role: 'admin' };
      const made = await call(who, 'POST', `/users${tenant}`, person);
      expect([made.status, made.body.tenant_id], who).toEqual([201, 'acme']);
      expect((await call(who, 'PATCH', `/users/${made.body.id}${tenant}`, { role: 'reader' })).status).toBe(200);
      for (const [method, path, body, status] of [
        ['POST', '/users', { ...person, username: 'high', role: 'super_admin' }, 422],
        ['PATCH', `/users/${made.body.id}`, { role: 'super_admin' }, 422],
        ['POST', '/rbac/teams', { name: `of ${who}`, roles: ['super_admin'] }, 422],
        ['POST', '/rbac/teams', { name: `of ${who}`, roles: ['admin'], member_ids: [made.body.id] }, 201],
        ['DELETE', `/users/${made.body.id}`, undefined, 204],
        ['DELETE', '/tenants/acme', undefined, 403],
        ['POST', '/tenants/acme/deactivate', undefined, 403],
        ['POST', '/tenants/acme/impersonate', undefined, 403],
        ['POST', '/signing-keys/rotate', {}, 403],
      ] as const) {
        const answer = await call(who, method, `${path}${path.startsWith('/tenants') ? '' : tenant}`, body);
        expect(answer.status, `${who}: ${method} ${path} ${JSON.stringify(answer.body)}`).toBe(status);
      }
    }
    expect(
      (await call('robot', 'POST', '/users?tenant_id=globex', { username: 'x', password, role: 'reader' })).status,
    ).toBe(403);
  });

  it('a token above all tenants sees super administrators and cannot write one', async () => {
    expect((await call('system robot', 'GET', `/users/${root}`)).body).toMatchObject({ role: 'super_admin' });
    await service.call('POST', '/api/v1/admin/users', { username: 'second', password, role: 'super_admin' });
    for (const id of [root, 'admin', 'second']) {
      for (const [method, body] of [
        ['PATCH', { password: 'another long password' }],
        ['PATCH', { enabled: false }],
        ['PATCH', { role: 'admin' }],
        ['DELETE', undefined],
      ] as const) {
        const answer = await call('system robot', method, `/users/${id}`, body);
        expect([answer.status, answer.body.code], `${method} ${id}`).toEqual([403, 'forbidden']);
      }
    }
    const made = await call('system robot', 'POST', '/users', { username: 'third', password, role: 'super_admin' });
    expect(made.status).toBe(422);
    expect(await service.login('admin')).toBeTypeOf('string');
    expect(await service.login('second')).toBeTypeOf('string');
    expect((await service.call('DELETE', '/api/v1/admin/users/second')).status).toBe(204);
  });

  it('whoever belongs to no tenant is asked for one where the record is a tenant’s', async () => {
    const token = (await call('admin', 'POST', '/api-tokens', { name: 'there', scopes: ['admin:read'] })).body.id;
    const person = (await call('admin', 'GET', '/users/reader')).body.id;
    const ask = (method: string, path: string, body?: unknown) => service.call(method, `/api/v1/admin${path}`, body);
    for (const [method, path, body] of [
      ['GET', `/users/${person}`, undefined],
      ['GET', '/users/reader', undefined],
      ['GET', '/users/nobody', undefined],
      ['GET', `/users/${person}/references`, undefined],
      ['PATCH', `/users/${person}`, { enabled: false }],
      ['DELETE', `/users/${person}`, undefined],
      ['GET', `/api-tokens/${token}`, undefined],
      ['GET', '/api-tokens/there', undefined],
      ['DELETE', `/api-tokens/${token}`, undefined],
      ['POST', '/users', { username: 'lost', password, role: 'admin' }],
      ['POST', '/users', { username: 'lost', password, role: 'reader' }],
    ] as const) {
      const answer = await ask(method, path, body);
      expect([answer.status, answer.body.code, answer.body.detail], `${method} ${path}`).toEqual([
        400,
        'tenant_required',
        'tenant_id is required',
      ]);
    }
    const moved = await ask('PATCH', `/users/${root}`, { role: 'admin' });
    expect([moved.status, moved.body.errors?.[0]?.pointer]).toEqual([422, '/role']);
    expect((await ask('GET', `/users/${root}`)).status).toBe(200);
    expect((await ask('GET', '/users/nobody?tenant_id=acme')).status).toBe(404);
    expect((await call('admin', 'GET', '/users/nobody')).status).toBe(404);
  });

  it('a token does what its scopes say, for its tenant, whoever made it', async () => {
    const scoped = async (...scopes: string[]): Promise<string> => {
      const made = await call('admin', 'POST', '/api-tokens', { name: scopes.join(), scopes });
      expect(made.body).toMatchObject({ tenant_id: 'acme', scopes });
      return made.body.token;
    };
    tokens['read only'] = await scoped('admin:read');
    tokens['write only'] = await scoped('admin:write');
    const body = { name: 'by token' };
    expect((await call('read only', 'GET', '/workspaces')).status).toBe(200);
    expect((await call('read only', 'POST', '/workspaces', body)).status).toBe(403);
    expect((await call('write only', 'GET', '/workspaces')).status).toBe(403);
    const made = await call('write only', 'POST', '/workspaces', body);
    expect(made.status).toBe(201);
    for (const path of ['/workspaces', `/workspaces/${made.body.id}`]) {
      expect((await call('write only', 'POST', '/workspaces?tenant_id=globex', body)).status, path).toBe(403);
    }
    expect((await call('read only', 'GET', '/users?tenant_id=globex')).status).toBe(403);
    expect((await call('read only', 'GET', '/audits/')).status).toBe(401);
  });

  it('a token without a tenant is a super administrator’s to make, and has to name one', async () => {
    expect((await call('system robot', 'GET', '/workspaces')).body).toMatchObject({
      status: 400,
      detail: 'tenant_id is required',
    });
    expect((await call('system robot', 'GET', '/workspaces?tenant_id=globex')).status).toBe(200);
    expect((await call('system robot', 'POST', '/workspaces', { tenant_id: 'globex', name: 'w' })).status).toBe(201);
    expect((await call('system robot', 'GET', '/workspaces?tenant_id=nowhere')).status).toBe(403);
    expect(
      (await call('admin', 'GET', '/api-tokens?limit=200')).body.items.map(({ name }: { name: string }) => name),
    ).toEqual(expect.not.arrayContaining(['system']));
    const listed = await service.call('GET', '/api/v1/admin/api-tokens');
    expect(listed.body.items).toMatchObject([{ name: 'robot', tenant_id: null }]);
  });
});
