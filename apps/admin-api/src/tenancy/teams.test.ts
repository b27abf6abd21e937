import { FakeClock } from '@portcullis/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { type Answer, password, startTestService, type TestService } from '../testing/test-service.test-support.ts';

/** Changes work within this on every replica. Source: wire contract, Paths and small rules. */
const noticeMs = 5_000;

describeOnEachDatabase('teams, organizations and workspaces', (context) => {
  const clock = new FakeClock({ nowMs: Date.now() });
  let service: TestService;
  let admin = '';
  beforeAll(async () => {
    service = await startTestService(context.url(), { nowMs: clock.nowMs, monotonicMs: clock.monotonicMs });
    for (const slug of ['acme', 'globex']) await service.addTenant(slug);
    admin = await service.addUser('acme', 'boss', 'admin');
  });
  afterAll(() => service.stop());

  const call = (method: string, path: string, body?: unknown, token: string = admin): Promise<Answer> =>
    service.call(method, `/api/v1/admin${path}`, body, { token });
  /** What the holder of a token may do, highest first. */
  const mayDo = async (token: string): Promise<string> => {
    clock.advance(noticeMs);
    if ((await call('PATCH', '/users/nobody', { enabled: true }, token)).status === 404) return 'administer';
    const written = await call('PATCH', '/workspaces/probe', { description: 'probed' }, token);
    return written.status === 404 ? 'write' : written.status === 403 ? 'read' : String(written.status);
  };
  const team = async (body: object): Promise<string> => {
    const made = await call('POST', '/rbac/teams', body);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body.id;
  };

  it('give their members the highest of all roles, for as long as they list them', async () => {
    const token = await service.addUser('acme', 'member', 'reader');
    expect(await mayDo(token)).toBe('read');
    const writers = await team({ name: 'writers', member_ids: ['member'], roles: ['reader', 'writer'] });
    expect(await mayDo(token)).toBe('write');
    const admins = await team({ name: 'admins', member_ids: ['member'], roles: ['admin'] });
    expect(await mayDo(token)).toBe('administer');
    await call('PATCH', `/rbac/teams/${admins}`, { member_ids: [] });
    expect(await mayDo(token)).toBe('write');
    await call('PATCH', `/rbac/teams/${writers}`, { roles: [] });
    expect(await mayDo(token)).toBe('read');
    await call('PATCH', `/rbac/teams/${writers}`, { roles: ['writer'] });
    expect(await mayDo(token)).toBe('write');
    expect((await call('DELETE', `/rbac/teams/${writers}`)).status).toBe(204);
    expect(await mayDo(token)).toBe('read');
  });

  it('take nothing from those whose own role is higher', async () => {
    const token = await service.addUser('acme', 'senior', 'writer');
    await team({ name: 'readers', member_ids: ['senior'], roles: ['reader'] });
    expect(await mayDo(token)).toBe('write');
  });

  it('lose members who are deleted; one who comes after with the same ID is none', async () => {
    const user = { id: 'phoenix', username: 'phoenix', password, role: 'reader' };
    await call('POST', '/users', user);
    const id = await team({ name: 'lost', member_ids: ['phoenix'], roles: ['admin'] });
    expect((await call('DELETE', '/users/phoenix')).status).toBe(204);
    expect((await call('GET', `/rbac/teams/${id}`)).body.member_ids).toEqual([]);
    await call('POST', '/users', user);
    expect(await mayDo(await service.login('phoenix', { tenantId: 'acme' }))).toBe('read');
  });

  it('hold users of the tenant only, and never make a super administrator', async () => {
    await service.addUser('globex', 'stranger', 'admin');
    const root = (await service.call('GET', '/api/v1/admin/users')).body.items[0];
    expect(root.role).toBe('super_admin');
    for (const member of ['stranger', 'nobody', root.id, 'admin']) {
      const refused = await call('POST', '/rbac/teams', { name: 'odd', member_ids: [member], roles: ['reader'] });
      expect([refused.status, refused.body.code, refused.body.detail], member).toEqual([
        422,
        'reference_not_found',
        'user not found',
      ]);
    }
    for (const roles of [['super_admin'], ['owner'], ['admin', 'admin']]) {
      expect((await call('POST', '/rbac/teams', { name: 'odd', roles })).status, roles.join()).toBe(422);
    }
  });

  it('belong to an organization of the same tenant, or none', async () => {
    const own = await call('POST', '/rbac/organizations', { name: 'Platform', description: 'who runs it' });
    const foreign = await service.call('POST', '/api/v1/admin/rbac/organizations', {
      tenant_id: 'globex',
      name: 'Other',
    });
    expect([own.status, foreign.status]).toEqual([201, 201]);
    const refusals = await Promise.all(
      [foreign.body.id, 'unknown'].map((id) => call('POST', '/rbac/teams', { name: 'lodgers', organization_id: id })),
    );
    for (const { status, body } of refusals) {
      expect({ status, ...body }).toMatchObject({
        status: 422,
        code: 'reference_not_found',
        detail: 'organization not found',
        errors: [{ pointer: '/organization_id', code: 'reference_not_found', message: 'organization not found' }],
      });
    }
    const id = await team({ name: 'lodgers', organization_id: own.body.id });
    expect((await call('DELETE', `/rbac/organizations/${own.body.id}`)).body.code).toBe('referenced_by_others');
    await call('PATCH', `/rbac/teams/${id}`, { organization_id: null });
    expect((await call('DELETE', `/rbac/organizations/${own.body.id}`)).status).toBe(204);
  });

  it.each(['/workspaces', '/rbac/organizations', '/rbac/teams'])(
    '%s have a name once in a tenant, and stay in it',
    async (path) => {
      const made = await call('POST', path, { name: 'unique' });
      expect(made.body).toMatchObject({ tenant_id: 'acme', name: 'unique' });
      const again = await call('POST', path, { name: 'unique' });
      expect([again.status, again.body.code]).toEqual([409, 'name_exists']);
      expect(again.body.detail).toContain('name exists');
      const elsewhere = await service.call('POST', `/api/v1/admin${path}`, { tenant_id: 'globex', name: 'unique' });
      expect(elsewhere.status).toBe(201);
      const one = `${path}/${made.body.id}`;
      for (const change of [{ created_at: '2020-01-01T00:00:00.000Z' }, { id: 'other' }, { revision: 9 }]) {
        expect((await call('PATCH', one, change)).status, JSON.stringify(change)).toBe(422);
      }
      expect((await call('PATCH', one, { tenant_id: 'globex' })).status).toBe(403);
      const moved = await service.call('PATCH', `/api/v1/admin${one}?tenant_id=acme`, { tenant_id: 'globex' });
      expect([moved.status, moved.body.code]).toEqual([400, 'tenant_mismatch']);
      expect((await service.call('PATCH', `/api/v1/admin${one}`, { tenant_id: 'globex', name: 'x' })).status).toBe(404);
      expect((await call('PUT', one, { name: 'unique' })).status).toBe(405);
      const repeated = { ...made.body, description: 'changed' };
      expect((await call('PATCH', one, { description: 'changed' })).body).toMatchObject({ description: 'changed' });
      expect((await call('PATCH', one, { tenant_id: 'acme', created_at: repeated.created_at })).status).toBe(200);
      const foreign = `${path}/${elsewhere.body.id}`;
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const answer = await call(method, foreign, method === 'PATCH' ? { name: 'mine' } : undefined);
        const unknown = await call(method, `${path}/unknown`, method === 'PATCH' ? { name: 'mine' } : undefined);
        expect({ ...answer.body, request_id: '' }, method).toEqual({ ...unknown.body, request_id: '' });
        expect(answer.status).toBe(404);
      }
      const listed = await call('GET', `${path}?tenant_id=globex&name=unique`);
      expect([listed.status, listed.body.items.map(({ id }: { id: string }) => id)]).toEqual([200, [made.body.id]]);
    },
  );

  it('workspaces and organizations are written by writers, teams by administrators', async () => {
    const writer = await service.addUser('acme', 'scribe', 'writer');
    const reader = await service.addUser('acme', 'onlooker', 'reader');
    const statuses = async (token: string): Promise<number[]> => {
      const made = ['/workspaces', '/rbac/organizations', '/rbac/teams'].map((path) =>
        call('POST', path, { name: `of ${token.slice(-8)}` }, token),
      );
      return (await Promise.all(made)).map(({ status }) => status);
    };
    expect(await statuses(writer)).toEqual([201, 201, 403]);
    expect(await statuses(reader)).toEqual([403, 403, 403]);
  });
});
