import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { type Answer, startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { freeDescriptions } from './api-descriptions.ts';

const admin = '/api/v1/admin';
const versions = '/gateways/edge/services/shop/versions';
const later = (): number => Date.now() + 3_600_000;

describeOnEachDatabase('descriptions in snapshots', (context) => {
  let service: TestService;
  const call = async (method: string, path: string, status: number, body?: unknown): Promise<Answer['body']> => {
    const answer = await service.call(method, `${admin}${path}?tenant_id=acme`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    return answer.body;
  };
  const titled = (title: string) => ({ openapi: '3.0.3', info: { title, version: '1' }, paths: {} });
  const kept = async (): Promise<number> =>
    (await context.database().read.selectFrom('api_descriptions').select('sha256').execute()).length;

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    await call('POST', '/gateways', 201, { id: 'edge', name: 'edge' });
    await call('POST', '/gateways/edge/services', 201, { id: 'shop', name: 'shop', url: 'http://shop.test' });
  });
  afterAll(() => service.stop());

  it('come back with a rollback, and go once nothing needs them', async () => {
    await call('POST', versions, 201, { version: 'changed', spec: titled('before') });
    await call('POST', versions, 201, { version: 'deleted', spec: titled('deleted') });
    const snapshot = await call('POST', '/config/snapshots', 201, {});
    expect(snapshot.counts).toMatchObject({ service_versions: 2 });
    await call('PATCH', `${versions}/changed`, 200, { spec: titled('after') });
    await call('PATCH', `${versions}/changed`, 200, { spec: titled('last') });
    await call('DELETE', `${versions}/deleted`, 204);

    expect(await freeDescriptions(context.database(), Date.now())).toBe(0);
    // What no snapshot saw, and no version has any more.
    expect(await freeDescriptions(context.database(), later())).toBe(1);
    const rollback = `/config/snapshots/${snapshot.id}/rollback`;
    const dry = await call('POST', rollback, 200, { mode: 'exact', dry_run: true });
    expect(dry.diff.summary).toMatchObject({ create: 1, update: 1 });
    expect(JSON.stringify(dry.diff.changes)).toContain('/document');
    await call('POST', rollback, 200, { mode: 'exact' });
    expect((await call('GET', `${versions}/changed`, 200)).spec).toEqual(titled('before'));
    expect((await call('GET', `${versions}/deleted`, 200)).spec).toEqual(titled('deleted'));

    // The rollback took a snapshot of what was there before it.
    expect([await freeDescriptions(context.database(), later()), await kept()]).toEqual([0, 3]);
    const { items } = await call('GET', '/config/snapshots', 200);
    for (const { id } of items) await call('DELETE', `/config/snapshots/${id}`, 204);
    expect([await freeDescriptions(context.database(), later()), await kept()]).toEqual([1, 2]);
    expect((await call('GET', `${versions}/changed`, 200)).spec).toEqual(titled('before'));
  });
});
