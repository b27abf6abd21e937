import { familyNamed } from '@portcullis/resources';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { createResourceStore } from '../store/create-resource-store.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';
import { createRecordReader } from './record-reader.ts';
import { someActor } from './writer.test-support.ts';

describeOnEachDatabase('edges of record operations', (context) => {
  let service: TestService;
  const path = (rest: string): string => `/api/v1/admin${rest}${rest.includes('?') ? '&' : '?'}tenant_id=acme`;
  const call = (method: string, rest: string, body?: unknown, headers = {}): Promise<Answer> =>
    service.call(method, path(rest), body, { headers });
  const make = async (rest: string, body: object): Promise<Answer['body']> => {
    const answer = await call('POST', rest, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    await make('/gateways', { id: 'edge', name: 'edge' });
  });
  afterAll(() => service.stop());

  it('an ID wins over another record’s name, for reads and writes', async () => {
    const named = await make('/consumers', { username: 'both' });
    const identified = await make('/consumers', { id: 'both', username: 'other' });
    expect((await call('GET', '/consumers/both')).body.username).toBe('other');
    expect((await call('PATCH', '/consumers/both', { description: 'x' })).body.id).toBe(identified.id);
    expect((await call('DELETE', '/consumers/both')).status).toBe(204);
    expect((await call('GET', '/consumers/both')).body.id).toBe(named.id);
  });

  it('an ID of another gateway does not hide a record of that name', async () => {
    await make('/gateways', { id: 'far', name: 'far' });
    await make('/gateways/far/services', { id: 'twin', name: 'elsewhere', url: 'http://a.test' });
    expect((await call('GET', '/gateways/edge/services/twin')).status).toBe(404);
    const here = await make('/gateways/edge/services', { name: 'twin', url: 'http://a.test' });
    expect((await call('GET', '/gateways/edge/services/twin')).body.id).toBe(here.id);
    expect((await call('PUT', '/gateways/edge/services/elsewhere', { name: 'x', url: 'http://a.test' })).body.id).toBe(
      'elsewhere',
    );
  });

  it('what refers to a record is listed in pages, with the true total', async () => {
    await make('/gateways', { id: 'busy', name: 'busy' });
    const services = Array.from({ length: 230 }, (_, index) => ({
      gateway_id: 'busy',
      name: `s${index}`,
      url: 'http://a.test',
    }));
    const sync = await service.call('POST', '/api/v1/admin/config/sync?dry_run=false', { tenant_id: 'acme', services });
    expect(sync.body.status, JSON.stringify(sync.body)).toBe('success');
    const first = await call('GET', '/gateways/busy/references');
    expect(first.body).toMatchObject({ total: 230, skip: 0, limit: 50 });
    expect(first.body.items).toHaveLength(50);
    expect(first.headers.get('x-total-count')).toBe('230');
    expect(first.headers.get('link')).toContain('skip=50');
    const pages = await Promise.all(
      [0, 200].map((skip) => call('GET', `/gateways/busy/references?skip=${skip}&limit=200`)),
    );
    const ids = pages.flatMap(({ body }) => body.items.map(({ id }: { id: string }) => id));
    expect([ids.length, new Set(ids).size]).toEqual([230, 230]);
    expect((await call('GET', '/gateways/busy/references?limit=201')).status).toBe(422);
  });

  it('a body may repeat the path, as the path has it or by ID', async () => {
    const hub = await make('/gateways', { name: 'hub' });
    for (const gatewayId of ['hub', hub.id]) {
      const made = await make('/gateways/hub/services', {
        gateway_id: gatewayId,
        name: gatewayId,
        url: 'http://a.test',
      });
      expect(made.gateway_id).toBe(hub.id);
      const nested = { service_id: gatewayId, path: '/', name: gatewayId };
      const route = await make(`/gateways/hub/services/${gatewayId}/routes`, nested);
      expect([route.gateway_id, route.service_id]).toEqual([hub.id, made.id]);
      const path = `/gateways/hub/services/${gatewayId}`;
      expect((await call('PATCH', path, { gateway_id: gatewayId, description: 'd' })).status).toBe(200);
    }
    const consumer = await make('/consumers', { username: 'kim' });
    const credential = { type: 'api_key', consumer_id: 'kim' };
    expect((await make('/consumers/kim/credentials', credential)).consumer_id).toBe(consumer.id);
    const other = await call('POST', '/consumers/kim/credentials', { type: 'api_key', consumer_id: 'other' });
    expect(other).toMatchObject({ status: 422, body: { errors: [{ code: 'contradiction' }] } });
    const elsewhere = await call('POST', '/gateways/hub/services', {
      gateway_id: 'edge',
      name: 'x',
      url: 'http://a.test',
    });
    expect(elsewhere).toMatchObject({ status: 422, body: { errors: [{ pointer: '/gateway_id', code: 'read_only' }] } });
  });

  it('null stands for an absent field where a whole record is sent', async () => {
    const nothing = { description: null, labels: null, upstream_id: null, client_certificate_name: null };
    const made = await make('/gateways/edge/services', { name: 'nulls', url: 'http://a.test', ...nothing });
    expect(made).not.toHaveProperty('description');
    const path = '/gateways/edge/services/nulls';
    await call('PATCH', path, { description: 'd' });
    const replaced = await call('PUT', path, { name: 'nulls', url: 'http://a.test', ...nothing });
    expect(replaced.status, JSON.stringify(replaced.body)).toBe(200);
    expect(replaced.body).not.toHaveProperty('description');
    const route = await make('/gateways/edge/services/nulls/routes', { name: 'nulls', path: '/', service_id: null });
    expect(route.service_id).toBe(made.id);
    const missing = await call('POST', '/gateways/edge/certificates', { cert: null, key: null });
    expect(missing.body.errors).toContainEqual(expect.objectContaining({ pointer: '/cert', code: 'required' }));
    const unknown = await call('POST', '/consumers', { username: 'refused', zz: null });
    expect(unknown.body).toMatchObject({ errors: [{ pointer: '/zz', code: 'unknown_field' }] });
  });

  it('PUT by a name replaces that record; under a text that is no ID it creates nothing', async () => {
    const record = await make('/consumers', { username: 'with space' });
    const replaced = await call('PUT', '/consumers/with%20space', { username: 'with space', description: 'new' });
    expect(replaced).toMatchObject({ status: 200, body: { id: record.id, description: 'new' } });
    for (const odd of ['no%20such', '%C3%BC', 'a%2Fb']) {
      const refused = await call('PUT', `/consumers/${odd}`, { username: 'nobody' });
      expect(refused, odd).toMatchObject({ status: 422, body: { errors: [{ pointer: '/id' }] } });
    }
    expect((await call('GET', '/consumers?name=nobody')).body.total).toBe(0);
    const other = await call('PUT', '/consumers/some-id', { id: 'other-id', username: 'nobody' });
    expect(other).toMatchObject({ status: 422, body: { errors: [{ pointer: '/id', code: 'read_only' }] } });
    const taken = await call('PUT', '/consumers/some-id', { username: 'with space' });
    expect(taken).toMatchObject({ status: 409, body: { code: 'name_exists' } });
  });

  it('If-Match takes a list of tags and the star, and no weak tag', async () => {
    await make('/consumers', { username: 'tags' });
    const patch = (tags: string) => call('PATCH', '/consumers/tags', { description: tags }, { 'if-match': tags });
    const statuses: number[] = [];
    for (const tags of ['"7", "1"', '"2"', '*', '"1"', 'W/"4"', '4', '', '"4" "5"', '"44"']) {
      statuses.push((await patch(tags)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 412, 412, 412, 412, 412, 412]);
    expect((await call('DELETE', '/consumers/tags', undefined, { 'if-match': '"1"' })).status).toBe(412);
    const create = await call('PUT', '/consumers/fresh', { username: 'fresh' }, { 'if-match': '*' });
    expect(create.status).toBe(412);
    expect((await call('GET', '/consumers/fresh')).status).toBe(404);
  });

  it('null is no ID of a new record, and in a patch removes a field that the family has', async () => {
    const refused = await call('POST', '/consumers', { username: 'removed', id: null });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/id' }] } });
    await make('/consumers', { username: 'removed', description: 'd', enabled: false, gateway_name: 'edge' });
    const cleared = await call('PATCH', '/consumers/removed', { description: null, enabled: null, gateway_name: null });
    expect(cleared.body).toMatchObject({ enabled: true });
    expect(cleared.body).not.toHaveProperty('description');
    expect(cleared.body).not.toHaveProperty('gateway_id');
    expect((await call('GET', '/gateways/edge/references')).body.items).not.toContainEqual(
      expect.objectContaining({ id: cleared.body.id }),
    );
  });

  it('a patch of an unknown field is refused whatever its value, with everything else that is wrong', async () => {
    await make('/consumers', { username: 'strict' });
    for (const value of [null, 1, {}, 'x']) {
      for (const field of ['bogus', 'toString', 'hasOwnProperty', 'created_at', 'id']) {
        const refused = await call('PATCH', '/consumers/strict', { [field]: value });
        expect(refused.status, `${field} ${JSON.stringify(value)}`).toBe(422);
        expect(refused.body.errors[0].pointer).toBe(`/${field}`);
      }
    }
    for (const field of ['bogus', 'toString', 'valueOf']) {
      expect((await call('POST', '/consumers', { username: 'z', [field]: 1 })).status, field).toBe(422);
    }
    const both = await call('PATCH', '/consumers/strict', { bogus: null, description: 5 });
    expect(both.body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
      '/bogus',
      '/description',
    ]);
    expect((await call('GET', '/consumers/strict')).body.revision).toBe(1);
  });

  it('a built-in record is read like any other and refused to whoever would change it', async () => {
    const family = familyNamed('workspaces');
    const builtIn = {
      ...{ tenantId: 'acme', family: 'workspaces', id: 'default', gatewayId: null, name: 'default', enabled: true },
      ...{ revision: 1, createdAtMs: 0, updatedAtMs: 0, body: { name: 'default' }, secrets: {}, tenantRevision: 0 },
    };
    const behaviours = new Map([['workspaces', { builtIn: () => [builtIn] }]]);
    const reader = createRecordReader(createResourceStore(), behaviours);
    const ask = [context.database().read, someActor.principal, family, { tenantId: 'acme', gatewayId: null }] as const;
    expect(await reader.find(...ask, 'default')).toBe(builtIn);
    await expect(reader.findToWrite(...ask, 'default')).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await reader.findToWrite(...ask, 'unknown')).toBeUndefined();
    const own = await make('/workspaces', { name: 'default' });
    expect((await reader.findToWrite(...ask, 'default'))?.id).toBe(own.id);
    const page = { tenantId: 'acme', skip: 0, limit: 9 };
    expect((await reader.list(ask[0], ask[1], family, page)).items.map(({ id }) => id)).toEqual([own.id]);
  });
});
