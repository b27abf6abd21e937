import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { type Answer, startTestService, type TestService } from '../testing/test-service.test-support.ts';

const tenants = '/api/v1/admin/tenants';

describeOnEachDatabase('tenants', (context) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(context.url());
  });
  afterAll(() => service.stop());

  const make = (body: object, token?: string): Promise<Answer> =>
    service.call('POST', tenants, { name: 'Name', ...body }, token === undefined ? {} : { token });
  const patch = (id: string, body: object, token?: string): Promise<Answer> =>
    service.call('PATCH', `${tenants}/${id}`, body, token === undefined ? {} : { token });
  const slugs = async (token: string, query = ''): Promise<string[]> => {
    const { body } = await service.call('GET', `${tenants}?limit=200&sort=id${query}`, undefined, { token });
    return body.items.map((item: { slug: string }) => item.slug);
  };
  /** A tenant with an administrator; gives the administrator's token. */
  const parent = async (slug: string, grants: object = {}): Promise<string> => {
    expect((await make({ slug, ...grants })).status).toBe(201);
    return service.addUser(slug, 'boss', 'admin');
  };

  it('show their parent under both names, and what they may have', async () => {
    expect((await make({ slug: 'plain' })).body).toMatchObject({
      id: 'plain',
      slug: 'plain',
      status: 'active',
      parent_id: null,
      parent_slug: null,
      can_create_tenant: false,
      tenant_quota: 0,
      metadata: {},
    });
    const child = await make({ slug: 'plain-child', parent_id: 'plain', can_create_tenant: true, tenant_quota: 3 });
    expect(child.body).toMatchObject({
      parent_id: 'plain',
      parent_slug: 'plain',
      can_create_tenant: true,
      tenant_quota: 3,
    });
    expect((await service.call('GET', `${tenants}/plain-child`)).body).toEqual(child.body);
    expect(await slugs(service.token, '&parent_slug=plain')).toEqual(['plain-child']);
  });

  it('have a parent that exists, and keep it', async () => {
    await make({ slug: 'fixed-parent' });
    const unknown = await make({ slug: 'orphan', parent_id: 'nobody' });
    expect([unknown.status, unknown.body.code, unknown.body.errors]).toEqual([
      422,
      'reference_not_found',
      [{ pointer: '/parent_id', code: 'reference_not_found', message: 'tenant not found' }],
    ]);
    expect((await make({ slug: 'ouroboros', parent_id: 'ouroboros' })).body.code).toBe('reference_not_found');
    await make({ slug: 'fixed', parent_id: 'fixed-parent' });
    for (const parentId of [null, 'orphan', 'plain']) {
      const moved = await patch('fixed', { parent_id: parentId });
      expect([moved.status, moved.body.errors[0].code], `${parentId}`).toEqual([422, 'immutable']);
    }
    expect((await patch('fixed', { parent_id: 'fixed-parent', name: 'New' })).status).toBe(200);
    expect((await patch('fixed', { parent_slug: 'plain' })).status).toBe(422);
    expect((await patch('fixed', { status: 'inactive' })).status).toBe(422);
  });

  it('are made with a status and with the parent under either name', async () => {
    await make({ slug: 'two-names' });
    const notes = { description: 'about it', labels: { team: 'shop' } };
    expect((await make({ slug: 'by-slug', parent_slug: 'two-names', status: 'active', ...notes })).body).toMatchObject({
      parent_id: 'two-names',
      parent_slug: 'two-names',
      status: 'active',
      ...notes,
    });
    const both = { parent_id: 'two-names', parent_slug: 'two-names', status: 'inactive' };
    expect((await make({ slug: 'by-both', ...both })).body).toMatchObject(both);
    expect((await make({ slug: 'by-odd', parent_id: 'two-names', parent_slug: 'by-slug' })).body.errors).toEqual([
      { pointer: '/parent_slug', code: 'contradiction', message: 'contradicts parent_id' },
    ]);
    expect((await make({ slug: 'by-odd', parent_slug: 'nobody' })).body.code).toBe('reference_not_found');
    expect((await make({ slug: 'by-odd', status: 'gone' })).body.errors).toMatchObject([{ pointer: '/status' }]);
    for (const slug of ['two-names', 'by-both']) {
      const shown = (await service.call('GET', `${tenants}/${slug}`)).body;
      const again = await patch(slug, shown);
      expect([again.status, again.body], slug).toEqual([200, shown]);
    }
    for (const change of [{ status: 'active' }, { status: null }, { parent_slug: null }, { parent_slug: 'by-slug' }]) {
      const [field] = Object.keys(change);
      const changed = await patch('by-both', change);
      expect([changed.status, changed.body.errors], JSON.stringify(change)).toEqual([
        422,
        [expect.objectContaining({ pointer: `/${field}`, code: 'immutable' })],
      ]);
    }
    expect((await service.call('POST', `${tenants}/by-both/activate`)).body).toMatchObject({ status: 'active' });
  });

  it('have a slug of their own, which is what a refusal points to', async () => {
    await make({ slug: 'taken' });
    for (const body of [{ slug: 'taken' }, { slug: 'taken', id: 'taken' }]) {
      const again = await make(body);
      expect([again.status, again.body.detail, again.body.errors]).toEqual([
        409,
        'a tenant with this slug exists',
        [{ pointer: '/slug', code: 'exists', message: 'exists' }],
      ]);
    }
    await service.call('DELETE', `${tenants}/taken`);
    expect((await make({ slug: 'taken' })).body).toMatchObject({
      detail: 'a tenant with this slug existed',
      errors: [{ pointer: '/slug' }],
    });
  });

  it('are the current one of their callers, and of super administrators who name them', async () => {
    const token = await parent('present');
    const current = (query = '', as?: string) =>
      service.call('GET', `/tenants/current${query}`, undefined, as === undefined ? {} : { token: as });
    expect((await current('', token)).body.slug).toBe('present');
    expect((await current('?tenant_id=present', token)).body.slug).toBe('present');
    for (const slug of ['plain', 'nobody']) {
      expect((await current(`?tenant_id=${slug}`, token)).body.detail, slug).toBe('Cannot access another tenant');
    }
    expect((await current('?tenant_id=present')).body.slug).toBe('present');
    expect((await current()).body).toMatchObject({ status: 400, detail: 'tenant_id is required' });
    for (const path of ['/api/v1/tenants/current', '/admin/tenants/current', '/api/v1/admin/tenants/current']) {
      const named = await service.call('GET', `${path}?tenant_id=present`);
      expect([named.status, named.body.slug], path).toEqual([200, 'present']);
    }
  });

  it('outlive their parent, whose slug stays gone', async () => {
    await make({ slug: 'mortal' });
    await make({ slug: 'survivor', parent_id: 'mortal' });
    expect((await service.call('DELETE', `${tenants}/mortal`)).status).toBe(204);
    expect((await service.call('GET', `${tenants}/survivor`)).body).toMatchObject({ parent_id: 'mortal' });
    expect((await patch('survivor', { name: 'Still here' })).status).toBe(200);
    expect((await make({ slug: 'mortal' })).body.code).toBe('name_exists');
    expect((await make({ slug: 'late', parent_id: 'mortal' })).body.code).toBe('reference_not_found');
  });

  it('are made by administrators only where a super administrator allows it, under their own', async () => {
    const refused = await make({ slug: 'sprout' }, await parent('barren', { tenant_quota: 5 }));
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    const unlimited = await make({ slug: 'sprout' }, await parent('roomless', { can_create_tenant: true }));
    expect([unlimited.status, unlimited.body.code]).toEqual([403, 'quota_exceeded']);
    const token = await parent('fertile', { can_create_tenant: true, tenant_quota: 2 });
    expect((await make({ slug: 'first' }, token)).body).toMatchObject({ parent_id: 'fertile', parent_slug: 'fertile' });
    for (const parentId of ['barren', 'first', 'nobody']) {
      const foreign = await make({ slug: 'sprout', parent_id: parentId }, token);
      expect([foreign.status, foreign.body.detail], parentId).toEqual([403, 'Cannot access another tenant']);
    }
    for (const none of [{ parent_id: null }, { parent_slug: null }, { parent_id: null, parent_slug: null }]) {
      const rootless = await make({ slug: 'sprout', ...none }, token);
      expect([rootless.status, rootless.body.code], JSON.stringify(none)).toEqual([403, 'cross_tenant']);
    }
    expect((await make({ slug: 'second', parent_id: 'fertile' }, token)).status).toBe(201);
    expect((await make({ slug: 'third' }, token)).body.code).toBe('quota_exceeded');
    expect((await make({ slug: 'third', parent_id: 'fertile' })).status).toBe(201);
    await service.call('DELETE', `${tenants}/third`);
    await service.call('DELETE', `${tenants}/second`);
    expect((await make({ slug: 'fourth' }, token)).status).toBe(201);
  });

  it('never exceed a quota, however many are made at once', async () => {
    const token = await parent('crowded', { can_create_tenant: true, tenant_quota: 4 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => make({ slug: `crowd-${index}` }, token)),
    );
    const statuses = answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim());
    expect(statuses.filter((status) => status === '201')).toHaveLength(4);
    expect(statuses.filter((status) => status === '403 quota_exceeded')).toHaveLength(8);
    expect(await slugs(service.token, '&parent_slug=crowded')).toHaveLength(4);
  });

  it('are granted nothing by regular administrators', async () => {
    const token = await parent('modest', { can_create_tenant: true, tenant_quota: 9 });
    for (const grant of [{ can_create_tenant: true }, { tenant_quota: 1 }]) {
      const [field] = Object.keys(grant);
      const made = await make({ slug: 'immodest', ...grant }, token);
      expect([made.status, made.body.errors]).toEqual([
        422,
        [{ pointer: `/${field}`, code: 'forbidden', message: 'only a super administrator can set this' }],
      ]);
    }
    for (const grant of [{ can_create_tenant: false }, { can_create_tenant: null }, { tenant_quota: 1_000_000 }]) {
      expect((await patch('modest', grant, token)).status, JSON.stringify(grant)).toBe(422);
    }
    expect((await patch('modest', { can_create_tenant: true, tenant_quota: 9, name: 'M' }, token)).status).toBe(200);
    expect((await service.call('GET', `${tenants}/modest`)).body).toMatchObject({ name: 'M', tenant_quota: 9 });
    expect((await patch('modest', { tenant_quota: 0, can_create_tenant: false })).status).toBe(200);
  });

  it('are seen by their own people and, as children, by administrators who may make some', async () => {
    const token = await parent('seer', { can_create_tenant: true, tenant_quota: 5 });
    await make({ slug: 'seen' }, token);
    await make({ slug: 'seen-grandchild', parent_id: 'seen' });
    const child = await service.addUser('seen', 'below', 'admin');
    const writer = await service.addUser('seer', 'writer', 'writer');
    const made = { tenant_id: 'seer', name: 'robot', scopes: ['admin:read', 'admin:write'] };
    const mint = async (body: object): Promise<string> =>
      (await service.call('POST', '/api/v1/admin/api-tokens', body)).body.token;
    const robot = await mint(made);
    const readingRobot = await mint({ ...made, name: 'reading robot', scopes: ['admin:read'] });
    expect(await slugs(token)).toEqual(['seen', 'seer']);
    expect(await slugs(token, '&parent_slug=seen')).toEqual([]);
    expect(await slugs(token, '&parent_slug=seer')).toEqual(['seen']);
    for (const other of [writer, readingRobot]) expect(await slugs(other)).toEqual(['seer']);
    expect(await slugs(robot)).toEqual(['seen', 'seer']);
    expect(await slugs(child)).toEqual(['seen']);
    const read = async (id: string, as: string) =>
      (await service.call('GET', `${tenants}/${id}`, undefined, { token: as })).status;
    expect([await read('seen', token), await read('seen-grandchild', token)]).toEqual([200, 404]);
    expect([await read('seer', child), await read('seen', writer), await read('nobody', token)]).toEqual([
      404, 404, 404,
    ]);
    await patch('seer', { can_create_tenant: false });
    expect(await slugs(token)).toEqual(['seer']);
    expect(await read('seen', token)).toBe(404);
  });

  it('are changed in name and notes by their own administrators, and by nobody below them or above', async () => {
    const token = await parent('owner', { can_create_tenant: true, tenant_quota: 5 });
    await make({ slug: 'owned' }, token);
    const below = await service.addUser('owned', 'below', 'admin');
    const writer = await service.addUser('owner', 'writer', 'writer');
    expect((await patch('owner', { name: 'Mine', metadata: { k: 'v' } }, token)).body).toMatchObject({ name: 'Mine' });
    const child = await patch('owned', { name: 'Yours' }, token);
    expect([child.status, child.body.code]).toEqual([403, 'cross_tenant']);
    expect((await patch('owner', { name: 'Theirs' }, below)).status).toBe(404);
    expect((await patch('owner', { name: 'Ours' }, writer)).status).toBe(403);
    expect((await make({ slug: 'by-writer' }, writer)).status).toBe(403);
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/deactivate'],
      ['POST', '/activate'],
      ['POST', '/impersonate'],
    ] as const) {
      for (const id of ['owner', 'owned']) {
        const answer = await service.call(method, `${tenants}/${id}${path}`, undefined, { token });
        expect([answer.status, answer.body.code], `${method} ${id}${path}`).toEqual([403, 'forbidden']);
      }
    }
    expect((await service.call('PUT', `${tenants}/owner`, { name: 'x', slug: 'owner' })).status).toBe(405);
    expect((await service.call('GET', `${tenants}/owner`)).body).toMatchObject({ name: 'Mine', metadata: { k: 'v' } });
  });

  it('are managed by tokens as by whom they stand for, but given nothing', async () => {
    await parent('hive', { can_create_tenant: true, tenant_quota: 1 });
    const mint = async (body: object): Promise<string> =>
      (await service.call('POST', '/api/v1/admin/api-tokens', { name: 'r', scopes: ['admin:write'], ...body })).body
        .token;
    const own = await mint({ tenant_id: 'hive' });
    const above = await mint({ name: 'above' });
    expect((await make({ slug: 'bee' }, own)).body).toMatchObject({ parent_id: 'hive' });
    expect((await make({ slug: 'bee-2' }, own)).body.code).toBe('quota_exceeded');
    expect((await make({ slug: 'bee-2', parent_id: 'plain' }, own)).body.code).toBe('cross_tenant');
    expect((await make({ slug: 'bee-2', parent_slug: 'plain' }, own)).body.code).toBe('cross_tenant');
    expect((await patch('hive', { name: 'Hive 2' }, own)).status).toBe(200);
    expect((await patch('bee', { name: 'Bee 2' }, own)).body.code).toBe('cross_tenant');
    expect((await patch('plain', { name: 'Theirs' }, own)).status).toBe(404);
    expect((await make({ slug: 'swarm' }, above)).body).toMatchObject({ parent_id: null });
    expect((await make({ slug: 'swarm-2', parent_slug: 'hive' }, above)).body).toMatchObject({ parent_id: 'hive' });
    expect((await patch('swarm', { name: 'Swarm 2' }, above)).status).toBe(200);
    for (const token of [own, above]) {
      for (const grant of [{ can_create_tenant: false }, { tenant_quota: 2 }]) {
        expect((await patch('hive', grant, token)).status, JSON.stringify(grant)).toBe(422);
      }
      expect((await make({ slug: 'swarm-3', tenant_quota: 1 }, token)).status).toBe(422);
      for (const [method, action] of [
        ['DELETE', ''],
        ['POST', '/deactivate'],
        ['POST', '/impersonate'],
      ] as const) {
        expect((await service.call(method, `${tenants}/hive${action}`, undefined, { token })).status).toBe(403);
      }
    }
  });

  it('are no way for a parent into what its child owns', async () => {
    const token = await parent('nosy', { can_create_tenant: true, tenant_quota: 5 });
    await make({ slug: 'private' }, token);
    const below = await service.addUser('private', 'below', 'admin');
    const workspaces = '/api/v1/admin/workspaces';
    const own = { token: below };
    const { id } = (await service.call('POST', workspaces, { name: 'secret plans' }, own)).body;
    for (const [method, path, body] of [
      ['GET', '/users?tenant_id=private', undefined],
      ['GET', '/api-tokens?tenant_id=private', undefined],
      ['GET', '/gateways?tenant_id=private', undefined],
      ['GET', `/workspaces/${id}?tenant_id=private`, undefined],
      ['POST', '/users', { tenant_id: 'private', username: 'spy', password: 'a long enough password', role: 'admin' }],
      ['POST', '/api-tokens', { tenant_id: 'private', name: 'spy', scopes: ['admin:read'] }],
      ['POST', '/workspaces', { tenant_id: 'private', name: 'spy' }],
      ['PATCH', '/users/below?tenant_id=private', { role: 'reader' }],
      ['DELETE', '/users/below?tenant_id=private', undefined],
    ] as const) {
      const answer = await service.call(method, `/api/v1/admin${path}`, body, { token });
      expect([answer.status, answer.body.detail], `${method} ${path}`).toEqual([403, 'Cannot access another tenant']);
    }
    const listed = await service.call('GET', `${workspaces}?tenant_id=private`, undefined, { token });
    expect([listed.status, listed.body.items]).toEqual([200, []]);
    expect((await service.call('GET', `${workspaces}/${id}`, undefined, { token })).status).toBe(404);
    expect((await service.call('GET', workspaces, undefined, own)).body.total).toBe(1);
  });
});
