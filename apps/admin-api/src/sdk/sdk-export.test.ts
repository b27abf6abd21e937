import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { type Answer, startTestService, type TestService } from '../testing/test-service.test-support.ts';

const admin = '/api/v1/admin';
const versions = '/gateways/edge/services/shop/versions';

const spec = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1.4.0' },
  servers: [{ url: '/v1' }],
  paths: { '/orders': { get: { operationId: 'listOrders', responses: { 204: { description: 'None' } } } } },
};

describeOnEachDatabase('exports of SDKs', (context) => {
  let service: TestService;
  let reader = '';
  const call = async (
    method: string,
    path: string,
    status: number,
    body?: unknown,
    token?: string,
  ): Promise<Answer['body']> => {
    const answer = await service.call(
      method,
      `${admin}${path}?tenant_id=acme`,
      body,
      token === undefined ? {} : { token },
    );
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    return answer.body;
  };
  const exported = (version: string, more = {}) =>
    call('POST', `${versions}/${version}/sdk`, 200, { target: 'python', ...more });
  const textsOf = (archive: Answer['body']): string =>
    Object.values(unzipSync(Buffer.from(archive.content_base64, 'base64')))
      .map((bytes) => Buffer.from(bytes).toString())
      .join('\n');

  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const tenantId of ['acme', 'globex']) await service.addTenant(tenantId);
    reader = await service.addUser('acme', 'rita', 'reader');
    await call('POST', '/gateways', 201, { id: 'edge', name: 'edge', proxy_url: 'https://edge.example/shops/' });
    await call('POST', '/gateways/edge/services', 201, { id: 'shop', name: 'shop', url: 'http://shop.test' });
    await call('POST', versions, 201, { version: 'relative', spec });
    const servers = [{ url: 'https://api.shop.example/v9' }];
    await call('POST', versions, 201, { version: 'absolute', spec: { ...spec, servers } });
  });
  afterAll(() => service.stop());

  it('say truly what the archive is, and make the same bytes again', async () => {
    const archive = await exported('relative');
    const bytes = Buffer.from(archive.content_base64, 'base64');
    expect(bytes.toString('base64')).toBe(archive.content_base64);
    expect(archive).toMatchObject({
      file_name: 'shop-python-1.4.0.zip',
      media_type: 'application/zip',
      size_bytes: bytes.length,
      checksum_sha256: createHash('sha256').update(bytes).digest('hex'),
      target: 'python',
      warnings: [],
    });
    for (const path of Object.keys(unzipSync(bytes))) expect(path).toMatch(/^shop-python-1\.4\.0\/(?!.*\.\.)/);
    expect(await exported('relative')).toEqual(archive);
    const named = await exported('relative', { package_name: 'acme_shop' });
    expect([named.package_name, textsOf(named).includes('acme_shop')]).toEqual(['acme_shop', true]);
  });

  it('begin where the gateway is, unless the description says where', async () => {
    expect(textsOf(await exported('relative'))).toContain('https://edge.example/shops/v1');
    const absolute = textsOf(await exported('absolute'));
    expect(absolute).toContain('https://api.shop.example/v9');
    expect(absolute).not.toContain('edge.example');
  });

  it('are refused with the place of what is wrong', async () => {
    const path = `${versions}/relative/sdk`;
    const pointersOf = async (body: unknown) =>
      (await call('POST', path, 422, body)).errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(await pointersOf({})).toEqual(['/target']);
    expect(await pointersOf({ target: 'cobol' })).toEqual(['/target']);
    expect(await pointersOf({ target: 'python', package_name: '../x' })).toEqual(['/package_name']);
    expect(await pointersOf({ target: 'python', other: 1 })).toEqual(['/other']);
    const parameters = [{ name: 'a', in: 'query', content: { 'application/xml': { schema: { type: 'object' } } } }];
    const odd = { get: { ...spec.paths['/orders'].get, parameters } };
    await call('POST', versions, 201, { version: 'odd', spec: { ...spec, paths: { '/orders': odd } } });
    const { errors } = await call('POST', `${versions}/odd/sdk`, 422, { target: 'python' });
    expect(errors[0].pointer).toMatch(/^\/spec\/paths\/~1orders\/get\/parameters\/0/);
  });

  it('are for whoever may read, and change nothing', async () => {
    const count = async () => (await context.database().read.selectFrom('audit_records').select('id').execute()).length;
    const before = await count();
    await call('POST', `${versions}/relative/sdk`, 200, { target: 'python' }, reader);
    expect(await count()).toBe(before);
    const foreign = await service.addUser('globex', 'gil', 'admin');
    const path = `${admin}${versions}/relative/sdk`;
    expect((await service.call('POST', path, { target: 'python' }, { token: foreign })).status).toBe(404);
    const named = await service.call('POST', `${path}?tenant_id=acme`, { target: 'python' }, { token: foreign });
    expect(named.status).toBe(403);
  });
});
