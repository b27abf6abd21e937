import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../../database/each-database.test-support.ts';
import { startTestService } from '../../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../../testing/test-service.test-support.ts';

const admin = '/api/v1/admin';
const path = `${admin}/audits/`;

const aHash = expect.stringMatching(/^[0-9a-f]{64}$/);

describeOnEachDatabase('the audit list', (context) => {
  let service: TestService;
  const users: Record<string, string> = {};
  const list = (query = '', token?: string): Promise<Answer> =>
    service.call('GET', `${path}?${query}`, undefined, token === undefined ? {} : { token });
  const make = async (where: string, body: object): Promise<Answer['body']> => {
    const answer = await service.call('POST', `${admin}${where}?tenant_id=acme`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const idsOf = ({ body }: Answer): string[] => body.items.map((item: { id: string }) => item.id);

  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const tenantId of ['acme', 'globex']) {
      await service.addTenant(tenantId);
      for (const role of ['admin', 'writer', 'reader'] as const) {
        users[`${tenantId}-${role}`] = await service.addUser(tenantId, role, role);
      }
    }
    await make('/gateways', { id: 'edge', name: 'edge' });
  });
  afterAll(() => service.stop());

  it('answers under both prefixes, with and without the slash at the end', async () => {
    for (const place of [path, `${admin}/audits`, '/admin/audits/', '/admin/audits']) {
      const { status, headers, body } = await service.call('GET', `${place}?limit=1`);
      expect([status, body.skip, body.limit, body.items.length], place).toEqual([200, 0, 1, 1]);
      expect(headers.get('x-total-count'), place).toBe(String(body.total));
      expect(headers.get('link'), place).toContain(`<${place}?limit=1&skip=1>; rel="next"`.split('?')[0] ?? '');
    }
  });

  it('shows a record with all its members and its place in the chains', async () => {
    const made = await make('/workspaces', { name: 'shop' });
    const { body } = await list(`tenant_id=acme&entity=workspace&entity_id=${made.id}`);
    expect(body).toMatchObject({ total: 1, skip: 0, limit: 50 });
    expect(body.items).toEqual([
      {
        id: expect.any(String),
        tenant_id: 'acme',
        actor_id: expect.any(String),
        actor_username: 'admin',
        action: 'create',
        entity_type: 'workspace',
        entity_id: made.id,
        request_id: expect.any(String),
        source_ip: '127.0.0.1',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        metadata: null,
        before: null,
        after: made,
        schema_version: 2,
        immutable: true,
        redacted: [],
        previous_hash: aHash,
        audit_hash: aHash,
        tenant_sequence: expect.any(Number),
        global_sequence: expect.any(Number),
        global_previous_hash: aHash,
        global_hash: aHash,
      },
    ]);
  });

  it('has one record for each write, and none for what changed nothing or was refused', async () => {
    const { id } = await make('/consumers', { username: 'lee' });
    const at = `${admin}/consumers/${id}?tenant_id=acme`;
    await service.call('PATCH', at, { custom_id: 'c' });
    await service.call('PATCH', at, { custom_id: 'c' });
    expect((await service.call('PATCH', at, { username: 7 })).status).toBe(422);
    await service.call('DELETE', at);
    const { body } = await list(`entity_id=${id}&sort_direction=asc`);
    expect(
      body.items.map((item: Answer['body']) => [item.action, item.before?.custom_id, item.after?.custom_id]),
    ).toEqual([
      ['create', undefined, undefined],
      ['update', undefined, 'c'],
      ['delete', 'c', undefined],
    ]);
  });

  it('keeps everyone but a super administrator within the own tenant, whatever the query says', async () => {
    for (const role of ['admin', 'writer', 'reader']) {
      for (const query of ['', 'tenant_id=acme', 'tenant_id=globex', 'tenant_id=no-such-tenant']) {
        const { status, body } = await list(`${query}&limit=200`, users[`acme-${role}`]);
        expect(status).toBe(200);
        expect(body.items.length).toBeGreaterThan(3);
        expect(new Set(body.items.map((item: Answer['body']) => item.tenant_id))).toEqual(new Set(['acme']));
      }
    }
  });

  it('shows a super administrator everything, what belongs to no tenant too, or one tenant', async () => {
    const tenantsOf = ({ body }: Answer): Set<string | null> =>
      new Set(body.items.map((item: Answer['body']) => item.tenant_id));
    expect(tenantsOf(await list('limit=200'))).toEqual(new Set([null, 'acme', 'globex']));
    expect(tenantsOf(await list('tenant_id=globex'))).toEqual(new Set(['globex']));
    expect((await list('tenant_id=no-such-tenant')).body).toMatchObject({ items: [], total: 0 });
  });

  it('wants a signed-in user: a token of the API is as good as none', async () => {
    const scopes = ['admin:read', 'admin:write'];
    const { token } = await make('/api-tokens', { name: 'robot', scopes });
    expect((await service.call('GET', `${admin}/consumers`, undefined, { token })).status).toBe(200);
    for (const credential of [token, 'nonsense', '']) {
      const answer = await list('', credential);
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    }
  });

  it('pages through everything once, in both directions, and links keep the filters', async () => {
    const query = 'tenant_id=acme&actions=create&actions=update';
    const whole = await list(`${query}&limit=200`);
    const expected = idsOf(whole);
    expect(expected.length).toBeGreaterThan(4);
    expect(expected).toEqual(expected.toSorted().toReversed());
    const seen: string[] = [];
    for (let next: string | undefined = `${path}?${query}&limit=3`; next !== undefined;) {
      const page: Answer = await service.call('GET', next);
      expect(page.body.total).toBe(expected.length);
      seen.push(...idsOf(page));
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(expected);
    expect(idsOf(await list(`${query}&limit=200&sort_direction=asc`))).toEqual(expected.toReversed());
    expect((await list(`${query}&skip=100000`)).body).toMatchObject({ items: [], total: expected.length });
  });

  it('filters by action, entity, actor and time', async () => {
    const all = (await list('tenant_id=acme&limit=200')).body.items as Answer['body'][];
    const cases: [string, (item: Answer['body']) => boolean][] = [
      ['actions=delete', (item) => item.action === 'delete'],
      ['actions=delete&actions=update', (item) => item.action === 'delete' || item.action === 'update'],
      ['entity=consumer', (item) => item.entity_type === 'consumer'],
      ['entity=gateway&entity_id=edge', (item) => item.entity_type === 'gateway'],
      [`actor_id=${all[0].actor_id}`, (item) => item.actor_id === all[0].actor_id],
      [`from=${all[2].timestamp}`, (item) => item.timestamp >= all[2].timestamp],
      [`to=${all[2].timestamp}`, (item) => item.timestamp < all[2].timestamp],
      ['entity=no_such_entity', () => false],
    ];
    for (const [query, isMeant] of cases) {
      const wanted = all.filter(isMeant).map((item) => item.id);
      expect(idsOf(await list(`tenant_id=acme&limit=200&${query}`)), query).toEqual(wanted);
    }
  });

  it.each([
    'limit=201',
    'limit=0',
    'skip=-1',
    'limit=ten',
    'sort_direction=newest',
    'sort_direction=DESC',
    'from=yesterday',
    `entity=${'e'.repeat(65)}`,
    'a'.repeat(33).replaceAll('a', 'actions=x&'),
  ])('refuses %s', async (query) => {
    expect(await list(query)).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('cannot be written: %s', async (method) => {
    const answer = await service.call(method, path, method === 'DELETE' ? undefined : {});
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
