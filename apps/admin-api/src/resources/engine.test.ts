import { catalogue } from '@portcullis/resources';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import type { SuiteContext } from '../database/each-database.test-support.ts';
import { password, startTestService } from '../testing/test-service.test-support.ts';
import type { TestService } from '../testing/test-service.test-support.ts';
import { collectionPaths } from './family-paths.ts';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

describeOnEachDatabase('the engine over the catalogue', (context: SuiteContext) => {
  let service: TestService;
  let token = '';
  const tenantId = 'acme';

  const call = async (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> => {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  const inTenant = (path: string): string =>
    `/api/v1/admin${path}${path.includes('?') ? '&' : '?'}tenant_id=${tenantId}`;
  const make = async (path: string, body: object): Promise<Answer['body']> => {
    const answer = await call('POST', inTenant(path), body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const rows = (table: 'audit_records' | 'changes' | 'resources') =>
    context.database().read.selectFrom(table).selectAll().where('tenant_id', '=', tenantId).execute();
  const revision = async (): Promise<number> => {
    const query = context.database().read.selectFrom('tenant_revisions').select('revision');
    return (await query.where('tenant_id', '=', tenantId).executeTakeFirst())?.revision ?? 0;
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    token = (await call('POST', '/auth/login', { username: 'admin', password })).body.access_token;
    expect((await call('POST', '/api/v1/admin/tenants', { name: 'Acme', slug: tenantId })).status).toBe(201);
    await make('/gateways', { id: 'edge', name: 'edge' });
  });
  afterAll(() => service.stop());

  it('answers under both prefixes, and bare where the requirement prints it so', async () => {
    for (const path of [
      '/api/v1/admin/plugins',
      '/admin/plugins',
      '/plugins',
      '/api/v1/plugins',
      '/plugin-packages',
      '/admin/gateways',
    ]) {
      expect((await call('GET', `${path}?tenant_id=${tenantId}`)).status, path).toBe(200);
    }
  });

  it('creates, reads, changes, replaces and deletes a record, with its revision as ETag', async () => {
    const created = await make('/gateways/edge/services', {
      name: 'life',
      url: 'http://a.test/base',
      labels: { team: 'a' },
    });
    expect(created).toMatchObject({
      tenant_id: tenantId,
      gateway_id: 'edge',
      revision: 1,
      host: 'a.test',
      port: 80,
      path: '/base',
      retries: 5,
    });
    const path = '/gateways/edge/services/life';
    expect((await call('GET', inTenant(path))).body).toEqual(created);
    expect((await call('GET', inTenant(`/gateways/edge/services/${created.id}`))).body).toEqual(created);
    const patched = await call('PATCH', inTenant(path), { url: 'https://b.test', labels: { team: null, tier: '1' } });
    expect(patched.body).toMatchObject({ revision: 2, port: 443, labels: { tier: '1' } });
    expect(patched.headers.get('etag')).toBe('"2"');
    const replaced = await call('PUT', inTenant(path), { name: 'life', url: 'http://c.test' });
    expect(replaced).toMatchObject({ status: 200, body: { revision: 3, labels: {}, id: created.id } });
    const unchanged = await call('PUT', inTenant(path), replaced.body);
    expect(unchanged).toMatchObject({ status: 200, body: { revision: 3 } });
    expect((await call('DELETE', inTenant(path))).status).toBe(204);
    expect((await call('GET', inTenant(path))).status).toBe(404);
  });

  it('PUT creates a record under the ID of its path', async () => {
    const answer = await call('PUT', inTenant('/consumers/chosen-id'), { username: 'chosen' });
    expect(answer).toMatchObject({ status: 201, body: { id: 'chosen-id', username: 'chosen' } });
  });

  it('writes the record, its audit record, the revision and the change log together, or nothing of them', async () => {
    const before = { revision: await revision(), audits: (await rows('audit_records')).length };
    const made = await make('/consumers', { username: 'together' });
    const audits = (await rows('audit_records')).filter((row) => 'entity_id' in row && row.entity_id === made.id);
    expect(audits).toHaveLength(1);
    expect(audits[0]).toMatchObject({
      action: 'create',
      entity_type: 'consumer',
      actor_username: 'admin',
      request_id: expect.any(String),
    });
    expect(await revision()).toBe(before.revision + 1);
    expect((await rows('changes')).at(-1)).toMatchObject({
      family: 'consumers',
      action: 'create',
      revision: before.revision + 1,
    });
    const refused = await call('POST', inTenant('/consumers'), { username: 'together' });
    expect(refused.status).toBe(409);
    expect(await revision()).toBe(before.revision + 1);
    expect((await rows('audit_records')).length).toBe(before.audits + 1);
  });

  it('resolves references by name, refuses contradictions, and names who still refers', async () => {
    const service1 = await make('/gateways/edge/services', { name: 'one', url: 'http://a.test' });
    const service2 = await make('/gateways/edge/services', { name: 'two', url: 'http://a.test' });
    const route = await make('/gateways/edge/routes', { name: 'by-name', path: '/n', service_name: 'one' });
    expect(route.service_id).toBe(service1.id);
    const contradiction = await call('POST', inTenant('/gateways/edge/routes'), {
      name: 'c',
      path: '/c',
      service_id: service2.id,
      service_name: 'one',
    });
    expect(contradiction).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/service_name', code: 'contradiction' }] },
    });
    const moved = await call('PATCH', inTenant('/gateways/edge/routes/by-name'), { service_name: 'two' });
    expect(moved.body.service_id).toBe(service2.id);
    const refused = await call('DELETE', inTenant('/gateways/edge/services/two'));
    expect(refused).toMatchObject({ status: 409, body: { code: 'referenced_by_others' } });
    expect(refused.body.detail).toContain(route.id);
    const references = await call('GET', inTenant('/gateways/edge/services/two/references'));
    expect(references.body).toEqual({
      items: [{ resource_type: 'route', id: route.id, field: 'service_id' }],
      total: 1,
      skip: 0,
      limit: 50,
    });
    expect((await call('DELETE', inTenant('/gateways/edge/services/one'))).status).toBe(204);
  });

  it('what belongs to a record goes with it', async () => {
    const consumer = await make('/consumers', { username: 'owner' });
    const credential = await make(`/consumers/${consumer.id}/credentials`, { type: 'api_key', name: 'k' });
    const upstream = await make('/gateways/edge/upstreams', { name: 'pool' });
    const target = await make('/gateways/edge/upstreams/pool/targets', { target: '10.0.0.1:8080' });
    expect(target).toMatchObject({
      name: '10.0.0.1:8080',
      host: '10.0.0.1',
      port: 8080,
      weight: 100,
      upstream_id: upstream.id,
    });
    const same = await call('POST', inTenant(`/gateways/edge/targets/upstream/${upstream.id}`), {
      host: '10.0.0.1',
      port: 8080,
    });
    expect(same.status).toBe(409);
    expect((await call('DELETE', inTenant(`/consumers/${consumer.id}`))).status).toBe(204);
    expect((await call('DELETE', inTenant('/gateways/edge/upstreams/pool'))).status).toBe(204);
    const left = new Set((await rows('resources')).map((row) => ('id' in row ? row.id : '')));
    expect([consumer.id, credential.id, upstream.id, target.id].filter((id) => left.has(id))).toEqual([]);
    expect((await call('DELETE', inTenant('/gateways/edge'))).status).toBe(409);
  });

  it('lists page through a total order, filter by name, label, state and parent, and say the total', async () => {
    for (let index = 0; index < 7; index += 1) {
      await make('/consumers', {
        username: `page-${index}`,
        labels: { page: 'yes', 'a.b/c"': String(index % 2) },
        enabled: index !== 3,
      });
    }
    const seen: string[] = [];
    let next: string | undefined = inTenant('/consumers?labels=page=yes&limit=3');
    while (next !== undefined) {
      const page: Answer = await call('GET', next);
      expect(page.headers.get('x-total-count')).toBe('7');
      seen.push(...page.body.items.map((item: { username: string }) => item.username));
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6].map((index) => `page-${index}`));
    const total = async (query: string): Promise<number> =>
      (await call('GET', inTenant(`/consumers?${query}`))).body.total;
    expect(await total(`labels=${encodeURIComponent('page=yes,a.b/c"=1')}`)).toBe(3);
    expect(await total('labels=page=yes&enabled=false')).toBe(1);
    expect(await total('name=page-2')).toBe(1);
    const descending = await call('GET', inTenant('/consumers?labels=page=yes&sort=name&order=desc&limit=1'));
    expect(descending.body.items[0].username).toBe('page-6');
    for (const query of ['limit=201', 'limit=0', 'limit=x', 'sort=secret', 'skip=-1']) {
      expect((await call('GET', inTenant(`/consumers?${query}`))).status, query).toBe(422);
    }
  });

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

  it('a sync is one transaction: what fails in the end leaves nothing of its beginning', async () => {
    const before = await revision();
    const bundle = {
      tenant_id: tenantId,
      consumers: [{ username: 'from-bundle' }],
      consumer_credentials: [
        { consumer_name: 'from-bundle', type: 'api_key', name: 'a', key: 'same-key-for-two-credentials' },
        { consumer_name: 'from-bundle', type: 'api_key', name: 'b', key: 'same-key-for-two-credentials' },
      ],
    };
    const failed = await call('POST', inTenant('/config/sync?dry_run=false'), bundle);
    expect(failed.status, JSON.stringify(failed.body)).toBe(409);
    expect(await revision()).toBe(before);
    expect((await call('GET', inTenant('/consumers?name=from-bundle'))).body.total).toBe(0);
    const conflict = await call('POST', inTenant(`/config/sync?dry_run=false&expected_revision=${before + 5}`), {
      tenant_id: tenantId,
    });
    expect(conflict).toMatchObject({ status: 409, body: { code: 'revision_conflict' } });
    const mismatch = await call('POST', inTenant('/config/sync'), { tenant_id: 'elsewhere' });
    expect(mismatch).toMatchObject({ status: 400, body: { code: 'tenant_mismatch' } });
  });

  it('a sync of what is live changes nothing, and overwrite=false leaves live records alone', async () => {
    const bundle = { tenant_id: tenantId, consumers: [{ username: 'synced', labels: { a: '1' } }] };
    expect((await call('POST', inTenant('/config/sync?dry_run=false'), bundle)).body).toMatchObject({
      status: 'success',
      counts: { created: 1 },
    });
    const at = await revision();
    expect((await call('POST', inTenant('/config/sync?dry_run=false'), bundle)).body).toMatchObject({
      counts: { created: 0, updated: 0, unchanged: 1 },
      revision: at,
    });
    const changed = { tenant_id: tenantId, consumers: [{ username: 'synced', labels: { a: '2' } }] };
    const diff = await call('POST', inTenant('/config/diff'), changed);
    expect(diff.body).toMatchObject({
      in_sync: false,
      live_revision: at,
      changes: [
        { action: 'update', name: 'synced', fields: [{ path: '/labels/a', op: 'replace', old: '1', new: '2' }] },
      ],
    });
    const kept = await call('POST', inTenant('/config/sync?dry_run=false&overwrite=false'), changed);
    expect(kept.body).toMatchObject({ status: 'success', counts: { skipped: 1, updated: 0 } });
    expect(await revision()).toBe(at);
    const broken = await call('POST', inTenant('/config/sync?dry_run=false'), {
      tenant_id: tenantId,
      routes: [{ name: 'r', gateway_name: 'nowhere', path: '/' }],
      bogus: [],
    });
    expect(broken.body).toMatchObject({ status: 'failed', validation: { valid: false } });
    expect(await revision()).toBe(at);
  });

  it('no operation of any family answers 500 to an empty, an odd or a huge-numbered body', async () => {
    for (const family of catalogue.filter((candidate) => candidate.methods.includes('POST'))) {
      const [template = ''] = collectionPaths(family);
      const path = `/api/v1${template.replace('{gateway_id}', 'edge')}`;
      const scoped = family.scope === 'system' ? path : `${path}?tenant_id=${tenantId}`;
      for (const body of [
        {},
        [],
        null,
        'text',
        { name: null },
        { name: {} },
        { id: '../x' },
        { name: 1e308 },
        { [`__${'x'.repeat(300)}`]: 1 },
      ]) {
        const { status } = await call('POST', scoped, body);
        expect([400, 422], `${family.name} ${JSON.stringify(body)}`).toContain(status);
      }
    }
  });
});
