import { fakeAlerting, type FakeSystem, silent, startFakeSystem } from '@portcullis/integrations/testing';
import { eventually } from '@portcullis/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { syncPlaces } from './sync-places.ts';
import { syncsPerMinute } from './sync-rates.ts';

const settings = { PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' };
const path = '/api/v1/admin/integrations';

describeOnEachDatabase('syncs under way', (context) => {
  let service: TestService;
  let system: FakeSystem;
  const call = (method: string, at: string, by = service) => by.call(method, `${path}${at}?tenant_id=acme`);
  const make = async (name: string): Promise<void> => {
    const config = { api_url: system.url };
    const body = { tenant_id: 'acme', name, driver: 'incident_alerting', config, secrets: { api_key: 'some-key' } };
    expect((await service.call('POST', path, body)).status).toBe(201);
  };
  const asked = (times: number) => eventually(() => expect(system.requests).toHaveLength(times));

  beforeAll(async () => {
    service = await startTestService(context.url(), { settings });
    await service.addTenant('acme');
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    system = await startFakeSystem(fakeAlerting({ apiKey: 'some-key' }));
    system.fault = silent();
  });
  afterEach(() => system.close());

  it('keep others of the same integration out, and the next one may begin when they are over', async () => {
    await make('alone');
    const first = call('POST', '/alone/sync');
    await asked(1);
    // Those that do not begin take nothing of what the next one needs.
    for (let count = 0; count < syncsPerMinute; count += 1)
      expect((await call('POST', '/alone/sync')).body).toMatchObject({ status: 409, code: 'invalid_state' });
    expect(system.requests).toHaveLength(1);
    await system.close();
    expect((await first).body).toMatchObject({ status: 'failed', error: { code: 'unreachable' } });
    expect((await call('POST', '/alone/sync')).status).toBe(200);
    expect((await call('GET', '/alone/syncs')).body.total).toBe(2);
  });

  it('let the integration be changed, and are of the record as it was', async () => {
    await make('changed');
    const first = call('POST', '/changed/sync');
    await asked(1);
    const change = { enabled: false };
    expect((await service.call('PATCH', `${path}/changed?tenant_id=acme`, change)).status).toBe(200);
    await system.close();
    expect((await first).status).toBe(200);
    const [item] = (await call('GET', '/changed/syncs')).body.items;
    expect(item).toMatchObject({ record_revision: 1, status: 'failed' });
    expect((await call('GET', '/changed')).body).toMatchObject({ revision: 2, last_sync: { status: 'failed' } });
  });

  it('let the integration be deleted, and leave no result but a record in the audit log', async () => {
    await make('deleted');
    const { id } = (await call('GET', '/deleted')).body;
    const first = call('POST', '/deleted/sync');
    await asked(1);
    expect((await call('DELETE', '/deleted')).status).toBe(204);
    await system.close();
    expect((await first).status).toBe(404);
    const audits = await service.call('GET', `/api/v1/admin/audits/?entity_id=${id}`);
    expect(audits.body.items.map(({ action }: { action: string }) => action)).toEqual(['sync', 'delete', 'create']);
  });

  it('are bounded for each tenant, of which those below it take the places', async () => {
    const below = { name: 'below', slug: 'below', parent_id: 'acme' };
    expect((await service.call('POST', '/api/v1/admin/tenants', below)).status).toBe(201);
    const belongings = {
      driver: 'incident_alerting',
      config: { api_url: system.url },
      secrets: { api_key: 'some-key' },
    };
    await service.call('POST', path, { tenant_id: 'below', name: 'child', ...belongings });
    const names = Array.from({ length: syncPlaces.tenant + 1 }, (_, index) => `many-${index}`);
    for (const name of names) await make(name);
    const under = names.slice(1).map((name) => call('POST', `/${name}/sync`));
    await asked(syncPlaces.tenant);
    const refused = await call('POST', '/many-0/sync');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await service.call('POST', `${path}/child/sync?tenant_id=below`)).status).toBe(429);
    await system.close();
    for (const answer of await Promise.all(under)) expect(answer.status).toBe(200);
    expect((await call('POST', '/many-0/sync')).status).toBe(200);
  });

  it('end with the service, which tells what became of them', async () => {
    await make('stopped');
    const place = await context.fresh();
    const other = await startTestService(place.url, { settings });
    await other.addTenant('acme');
    const config = { api_url: system.url };
    const body = {
      tenant_id: 'acme',
      name: 'stopped',
      driver: 'incident_alerting',
      config,
      secrets: { api_key: 'some-key' },
    };
    await other.call('POST', path, body);
    const first = call('POST', '/stopped/sync', other);
    await asked(1);
    await Promise.all([
      other.stop(),
      first.then(({ body: result }) => expect(result).toMatchObject({ error: { code: 'aborted' } })),
    ]);
    const again = await startTestService(place.url, { settings });
    expect((await call('GET', '/stopped', again)).body.last_sync).toMatchObject({ error: { code: 'aborted' } });
    await again.stop();
    await place.remove();
  });

  it('keep out those of other replicas, and of a replica that is gone only for a time', async () => {
    if (context.dialect === 'sqlite') {
      // One process holds the file: there are no replicas.
      await expect(startTestService(context.url(), { settings })).rejects.toThrow('replicas need PostgreSQL');
      return;
    }
    await make('shared');
    const replica = await startTestService(context.url(), { settings, nowMs: () => Date.now() + 300_000 });
    const near = await startTestService(context.url(), { settings });
    const first = call('POST', '/shared/sync');
    await asked(1);
    expect((await call('POST', '/shared/sync', near)).status).toBe(409);
    // To one whose clock says that the first is long over, it is lost.
    system.fault = undefined;
    expect((await call('POST', '/shared/sync', replica)).body).toMatchObject({ status: 'success' });
    await system.close();
    expect((await first).body).toMatchObject({ status: 409, code: 'invalid_state' });
    expect((await call('GET', '/shared/syncs')).body.total).toBe(1);
    await Promise.all([near.stop(), replica.stop()]);
  });
});
