import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { demandRoom, descriptionRoom } from './description-room.ts';

describeOnEachDatabase('the room for descriptions', (context) => {
  const packed = 'ab'.repeat(50);
  const keep = (tenant: string, count: number) =>
    context.database().transaction(async (transaction) => {
      const rows = Array.from({ length: count }, (_, index) => ({
        tenant_id: tenant,
        version_id: `${tenant}-${index}`,
        sha256: 'a'.repeat(64),
        from_revision: 1,
        // The last one is no version's any more, and a snapshot's perhaps.
        until_revision: index === count - 1 ? 2 : null,
        until_at: index === count - 1 ? Date.now() : null,
        packed,
      }));
      for (let at = 0; at < rows.length; at += 100) {
        // oxlint-disable-next-line no-await-in-loop -- one statement has a bound for values
        await transaction
          .insertInto('api_descriptions')
          .values(rows.slice(at, at + 100))
          .execute();
      }
    });

  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(context.url());
  });
  afterAll(() => service.stop());

  it('of one tenant is counted in versions, and in bytes that are kept', async () => {
    const { read } = context.database();
    await keep('few', 4);
    const within = (versionsMax: number, packedBytesMax: number) =>
      demandRoom(read, 'few', { versionsMax, packedBytesMax });
    await within(3, 400);
    await expect(within(2, 400)).rejects.toMatchObject({ code: 'quota_exceeded' });
    await expect(within(3, 399)).rejects.toMatchObject({ code: 'quota_exceeded' });
    await demandRoom(read, 'none', { versionsMax: 0, packedBytesMax: 0 });
  });

  it('is looked at before a new version and a new description are there, and not for other changes', async () => {
    await service.addTenant('full');
    const call = (method: string, path: string, body: unknown) =>
      service.call(method, `/api/v1/admin/gateways${path}?tenant_id=full`, body);
    const spec = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} };
    await call('POST', '', { id: 'edge-full', name: 'edge' });
    await call('POST', '/edge-full/services', { id: 'shop', name: 'shop', url: 'http://shop.test' });
    const versions = '/edge-full/services/shop/versions';
    expect((await call('POST', versions, { version: 'one', spec })).status).toBe(201);
    await keep('full', descriptionRoom.versionsMax);
    expect(await call('POST', versions, { version: 'two', spec })).toMatchObject({
      status: 403,
      body: { code: 'quota_exceeded' },
    });
    expect((await call('PATCH', `${versions}/one`, { description: 'x' })).status).toBe(200);
    const other = { ...spec, info: { title: 'U', version: '1' } };
    expect((await call('PATCH', `${versions}/one`, { spec: other })).status).toBe(200);
  });
});
