import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { type Answer, startTestService, type TestService } from '../testing/test-service.test-support.ts';

const admin = '/api/v1/admin';
const versions = '/gateways/edge/services/shop/versions';

const spec = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1.4.0' },
  paths: {
    '/orders': { get: { operationId: 'listOrders', responses: { 200: { description: 'All of them' } } } },
  },
  components: { schemas: { Gap: { type: ['string', 'null'], default: null } } },
};

describeOnEachDatabase('service versions', (context) => {
  let service: TestService;
  const call = async (
    method: string,
    path: string,
    status: number,
    body?: unknown,
    options?: Parameters<TestService['call']>[3],
  ): Promise<Answer['body']> => {
    const answer = await service.call(
      method,
      `${admin}${path}${path.includes('?') ? '&' : '?'}tenant_id=acme`,
      body,
      options,
    );
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    return answer.body;
  };
  const errorsOf = async (document: unknown) => {
    const { errors } = await call('POST', versions, 422, { version: 'refused', spec: document });
    return errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    await call('POST', '/gateways', 201, { id: 'edge', name: 'edge' });
    for (const id of ['shop', 'other']) {
      await call('POST', '/gateways/edge/services', 201, { id, name: `${id}-service`, url: 'http://shop.test' });
    }
  });
  afterAll(() => service.stop());

  it('are made with a description, shown with it and listed without it', async () => {
    const made = await call('POST', versions, 201, { version: '1.4', description: 'first', spec });
    expect(made).toMatchObject({ version: '1.4', service_id: 'shop', gateway_id: 'edge', spec });
    expect(made.document).toMatchObject({ openapi: '3.1', title: 'Shop', api_version: '1.4.0', operations: 1 });
    expect(made.document.size_bytes).toBe(JSON.stringify(spec).length);
    expect(await call('GET', `${versions}/${made.id}`, 200)).toEqual(made);
    expect(await call('GET', '/gateways/edge/services/shop-service/versions/1.4', 200)).toEqual(made);
    const { items, total } = await call('GET', versions, 200);
    const { spec: _, ...listed } = made;
    expect([items, total]).toEqual([[listed], 1]);
    expect((await call('GET', `${versions}?version=9`, 200)).total).toBe(0);
    expect((await call('GET', '/gateways/edge/services/other/versions', 200)).total).toBe(0);
  });

  it('are found below their own service only, and are unique there', async () => {
    const { id } = await call('GET', `${versions}/1.4`, 200);
    for (const path of [`/gateways/edge/services/other/versions/${id}`, '/gateways/edge/services/other/versions/1.4']) {
      await call('GET', path, 404);
      await call('PATCH', path, 404, { description: 'x' });
      await call('DELETE', path, 404);
      await call('POST', `${path}/sdk`, 404, { target: 'go' });
    }
    await call('GET', `/gateways/edge/services/none/versions/${id}`, 404);
    expect((await call('POST', versions, 409, { version: '1.4', spec })).code).toBe('name_exists');
    await call('POST', '/gateways/edge/services/other/versions', 201, { version: '1.4', spec });
    const moved = { version: '2', spec, service_id: 'other' };
    expect((await call('POST', versions, 422, moved)).errors[0].pointer).toBe('/service_id');
    expect((await call('PATCH', `${versions}/1.4`, 422, { service_id: 'other' })).errors[0].pointer).toBe(
      '/service_id',
    );
    await call('PATCH', `${versions}/1.4`, 200, { service_id: 'shop' });
  });

  it('take the place of a description as a whole, and keep it where a change leaves it out', async () => {
    const changed = await call('PATCH', `${versions}/1.4`, 200, { description: 'second' });
    expect(changed).toMatchObject({ description: 'second', spec });
    const small = { openapi: '3.0.3', info: { title: 'Small', version: '2' }, paths: {} };
    const replaced = await call('PATCH', `${versions}/1.4`, 200, { spec: small });
    expect(replaced.spec).toEqual(small);
    expect(replaced.document).toMatchObject({ openapi: '3.0', operations: 0 });
    const again = await call('PATCH', `${versions}/1.4`, 200, { spec: JSON.stringify(small) });
    expect(again.revision).toBe(replaced.revision);
    expect((await call('PATCH', `${versions}/1.4`, 422, { spec: null })).errors[0]).toMatchObject({ pointer: '/spec' });
    await call('PATCH', `${versions}/1.4`, 200, { spec });
  });

  it('take YAML and JSON as texts', async () => {
    const yaml = 'openapi: 3.0.3\ninfo: { title: Text, version: "1" }\npaths: {}\n';
    const made = await call('POST', versions, 201, { version: 'yaml', spec: yaml });
    expect(made.spec).toEqual({ openapi: '3.0.3', info: { title: 'Text', version: '1' }, paths: {} });
    expect(await errorsOf('a: [')).toEqual(['/spec malformed']);
  });

  it('are refused with all places of what is wrong', async () => {
    expect(await errorsOf(undefined)).toEqual(['/spec required']);
    expect(await errorsOf(null)).toEqual(['/spec required']);
    expect(await errorsOf(['x'])).toEqual(['/spec type']);
    expect(await errorsOf({ ...spec, openapi: '2.0' })).toEqual(['/spec/openapi version']);
    expect(await errorsOf({ ...spec, info: { title: 'x' } })).toEqual(['/spec/info invalid_description']);
    const remote = { $ref: 'https://evil.example/schema.json' };
    const schemas = { A: remote, B: { properties: { c: { $ref: 'other.yaml#/x' } } } };
    expect(await errorsOf({ ...spec, components: { schemas } })).toEqual([
      '/spec/components/schemas/A/$ref reference_remote',
      '/spec/components/schemas/B/properties/c/$ref reference_remote',
    ]);
    const dangling = { schemas: { A: { $ref: '#/components/schemas/None' } } };
    expect(await errorsOf({ ...spec, components: dangling })).toEqual(['/spec invalid_description']);
    const deep = `${'{"x-a":'.repeat(70)}1${'}'.repeat(70)}`;
    expect(await errorsOf(deep)).toEqual([expect.stringContaining(' too_deep')]);
  });

  it('of some MiB are taken and shown, and bodies of more than 16 are refused', async () => {
    const large = {
      ...spec,
      'x-filling': Array.from({ length: 6 }, (_, index) => String(index % 10).repeat(1_000_000)),
    };
    const made = await call('POST', versions, 201, { version: 'large', spec: large });
    expect(made.document.size_bytes).toBeGreaterThan(6_000_000);
    expect((await call('GET', `${versions}/large`, 200)).spec).toEqual(large);
    const listed = await call('GET', versions, 200);
    expect(JSON.stringify(listed).length).toBeLessThan(10_000);
    const tooLarge = { ...large, 'x-more': 'x'.repeat(11_000_000) };
    expect((await call('POST', versions, 413, { version: 'larger', spec: tooLarge })).code).toBe('body_too_large');
    await call('DELETE', `${versions}/large`, 204);
  });

  it('are in the audit log without their descriptions', async () => {
    const rows = await context
      .database()
      .read.selectFrom('audit_records')
      .select(['canonical', 'disclosures'])
      .where('entity_type', '=', 'service_version')
      .execute();
    const text = JSON.stringify(rows);
    expect(rows.length).toBeGreaterThan(4);
    expect(text).toContain('sha256');
    expect(text).not.toContain('listOrders');
    expect(text.length / rows.length).toBeLessThan(10_000);
  });

  it('answer an Idempotency-Key with the first answer, description and all', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await call('POST', versions, 201, { version: 'once', spec }, { headers });
    expect(await call('POST', versions, 201, { version: 'once', spec }, { headers })).toEqual(first);
    expect(first.spec).toEqual(spec);
  });

  it('go with their service', async () => {
    await call('DELETE', '/gateways/edge/services/other', 204);
    const left = await context
      .database()
      .read.selectFrom('resources')
      .select('id')
      .where('family', '=', 'service-versions')
      .execute();
    expect(left).toHaveLength((await call('GET', versions, 200)).total);
  });
});
