import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { engineWorld, tenantId } from './engine-world.test-support.ts';

describeOnEachDatabase('a sync through the engine', (context) => {
  const { call, inTenant, revision } = engineWorld(context);

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
});
