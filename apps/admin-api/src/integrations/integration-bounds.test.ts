import { fakeAlerting, type FakeSystem, startFakeSystem } from '@portcullis/integrations/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { integrationsPerTenantMax } from './integration-behaviour.ts';
import { syncResultBytesMax } from './sync-result.ts';

const path = '/api/v1/admin/integrations';

describeOnEachDatabase('integrations of one tenant', (context) => {
  let service: TestService;
  let system: FakeSystem;
  const call = (method: string, at: string, body?: unknown) =>
    service.call(method, `${path}${at}?tenant_id=acme`, body);
  const make = (name: string) =>
    call('POST', '', {
      name,
      driver: 'incident_alerting',
      config: { api_url: system.url },
      secrets: { api_key: 'some-key' },
    });

  beforeAll(async () => {
    system = await startFakeSystem(fakeAlerting({ apiKey: 'some-key' }));
    service = await startTestService(context.url(), {
      settings: { PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' },
    });
    await service.addTenant('acme');
  });
  afterAll(async () => {
    await service.stop();
    await system.close();
  });

  it('keep as many bytes of results as two of the longest have, and the newest in any case', async () => {
    expect((await make('long')).status).toBe(201);
    const syncs = () => context.database().read.selectFrom('integration_syncs').select('sequence').execute();
    const lengthen = (bytes: number) =>
      context.database().transaction(async (transaction) => {
        const result = JSON.stringify({ metadata: { found: 'x'.repeat(bytes) } });
        await transaction.updateTable('integration_syncs').set({ result }).execute();
      });
    for (let count = 0; count < 3; count += 1) expect((await call('POST', '/long/sync')).status).toBe(200);
    await lengthen(syncResultBytesMax - 1000);
    expect((await call('POST', '/long/sync')).status).toBe(200);
    expect((await syncs()).map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
    await lengthen(2 * syncResultBytesMax);
    expect((await call('POST', '/long/sync')).status).toBe(200);
    expect((await syncs()).map(({ sequence }) => sequence)).toEqual([5]);
    expect((await call('GET', '/long')).body.last_sync).toMatchObject({ metadata: { http_status: 200 } });
    await call('DELETE', '/long');
  });

  it('are so many and no more', async () => {
    for (let count = 0; count < integrationsPerTenantMax; count += 1)
      expect((await make(`one-of-${count}`)).status).toBe(201);
    expect((await make('too-many')).body).toMatchObject({ status: 403, code: 'quota_exceeded' });
    expect((await call('PATCH', '/one-of-0', { description: 'changed' })).status).toBe(200);
    expect((await call('DELETE', '/one-of-0')).status).toBe(204);
    expect((await make('in-its-place')).status).toBe(201);
  }, 60_000);
});
