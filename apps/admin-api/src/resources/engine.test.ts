import { catalogue } from '@portcullis/resources';
import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { type EngineAnswer, engineWorld, tenantId } from './engine-world.test-support.ts';
import { collectionPaths } from './family-paths.ts';

describeOnEachDatabase('the engine over the catalogue', (context) => {
  const { call, inTenant, make, rows, revision } = engineWorld(context);

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
      const page: EngineAnswer = await call('GET', next);
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

  it('no operation of any family answers 500 to an empty, an odd or a huge-numbered body', async () => {
    await make('/gateways/edge/services', { id: 'above', name: 'above', url: 'http://a.test' });
    for (const family of catalogue.filter((candidate) => candidate.methods.includes('POST'))) {
      const [template = ''] = collectionPaths(family);
      const path = `/api/v1${template.replace('{gateway_id}', 'edge').replace('{service_id}', 'above')}`;
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
