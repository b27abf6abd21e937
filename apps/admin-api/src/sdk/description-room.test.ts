import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService, type TestService } from '../testing/test-service.test-support.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import { keepDescription } from './api-descriptions.ts';
import { demandBytes, demandVersions, descriptionRoom } from './description-room.ts';
import { createVersionBehaviour } from './version-behaviour.ts';

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
    await demandVersions(read, 'few', { versionsMax: 3 });
    await expect(demandVersions(read, 'few', { versionsMax: 2 })).rejects.toMatchObject({ code: 'quota_exceeded' });
    await demandBytes(read, 'few', { packedBytesMax: 400 });
    await expect(demandBytes(read, 'few', { packedBytesMax: 399 })).rejects.toMatchObject({ code: 'quota_exceeded' });
    await demandVersions(read, 'none', { versionsMax: 0 });
    await demandBytes(read, 'none', { packedBytesMax: 0 });
  });

  it('of bytes is asked for by a new description, and not by one that is taken up again', async () => {
    const behaviour = createVersionBehaviour({
      threads: { run: () => Promise.reject(new Error('nothing is checked')) },
      nowMs: Date.now,
      room: { versionsMax: 1, packedBytesMax: 150 },
    });
    const holding = (sha256: string) =>
      ({ tenantId: 'above', id: 'one', body: { document: { sha256 } } }) as unknown as StoredRecord;
    /** @param sent whether the write brings the text, as a rollback does not */
    const write = (revision: number, [from, to]: readonly [string | undefined, string], sent: boolean) =>
      context.database().transaction(async (transaction) => {
        const place = { tenant_id: 'above', version_id: 'one', sha256: to };
        if (sent) await keepDescription(transaction, { ...place, from_revision: revision, packed });
        const change = { transaction, revision, before: from === undefined ? undefined : holding(from) };
        await behaviour.afterWrite?.({ ...change, after: holding(to) } as Parameters<
          NonNullable<typeof behaviour.afterWrite>
        >[0]);
      });
    await write(1, [undefined, 'first'], true);
    await expect(write(2, ['first', 'second'], true)).rejects.toMatchObject({ code: 'quota_exceeded' });
    // Since before there was a bound.
    await context.database().transaction((transaction) =>
      keepDescription(transaction, {
        tenant_id: 'above',
        version_id: 'one',
        sha256: 'second',
        from_revision: 0,
        packed,
      }),
    );
    await write(3, ['first', 'second'], false);
    await write(4, ['second', 'first'], true);
    await expect(write(5, ['first', 'third'], true)).rejects.toMatchObject({ code: 'quota_exceeded' });
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
    // One more than it may have, as a tenant from before there was a bound.
    await keep('full', descriptionRoom.versionsMax + 1);
    expect(await call('POST', versions, { version: 'two', spec })).toMatchObject({
      status: 403,
      body: { code: 'quota_exceeded' },
    });
    expect((await call('PATCH', `${versions}/one`, { description: 'x' })).status).toBe(200);
    const other = { ...spec, info: { title: 'U', version: '1' } };
    expect((await call('PATCH', `${versions}/one`, { spec: other })).status).toBe(200);
  });
});
