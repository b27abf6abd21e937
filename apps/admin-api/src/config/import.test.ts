import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { ImportBench, edge, service1 } from './import-bench.test-support.ts';
import type { Answer } from '../testing/test-service.test-support.ts';

describeOnEachDatabase('import of a configuration', (context) => {
  const bench = new ImportBench();
  const { bring, call, freshTenant, names, sync } = bench;

  beforeAll(() => bench.start(context.url()));
  afterAll(() => bench.stop());

  it('applies at once and takes no snapshot, unless it is told otherwise', async () => {
    await freshTenant();
    const dry = await bring(edge, '?dry_run=true');
    expect(dry.body).toMatchObject({ status: 'dry_run', dry_run: true, results: [], snapshot: null });
    expect(await names('/gateways')).toEqual([]);
    const applied = await bring(edge);
    expect(applied.body).toMatchObject({
      status: 'success',
      dry_run: false,
      validation: { valid: true, errors: [], counts: { gateways: 1 } },
      diff: {
        tenant_id: bench.tenant,
        in_sync: false,
        summary: { create: 1, update: 0, unchanged: 0, unmanaged: 0, total: 1 },
      },
      counts: { created: 1, updated: 0, unchanged: 0, skipped: 0, failed: 0 },
      results: [{ action: 'created', resource_type: 'gateways', id: 'edge', name: 'edge' }],
      snapshot: null,
      revision: dry.body.revision + 1,
    });
    expect(applied.body.duration_ms).toBeGreaterThanOrEqual(0);
    // What it does not hold may be live.
    const routes = [{ gateway_name: 'edge', name: 'r', path: '/', service_name: 'one' }];
    expect((await bring({ routes })).body).toMatchObject({ status: 'failed', counts: { failed: 1 } });
    expect((await bring({ services: [service1] })).body.status).toBe('success');
    expect((await bring({ routes })).body.status).toBe('success');
  });

  it('skips live records that differ and says so; with overwrite it changes them, after a snapshot if one is wanted', async () => {
    await freshTenant();
    await bring({ ...edge, services: [service1] });
    const changed = {
      services: [
        { ...service1, url: 'http://two.test' },
        { ...service1, name: 'new' },
      ],
    };
    const dry = await bring(changed, '?dry_run=true');
    const kept = await bring(changed, '?snapshot=true&snapshot_note=before%20new');
    expect(kept.body).toMatchObject({
      status: 'success',
      counts: { created: 1, updated: 0, skipped: 1 },
      snapshot: {
        tenant_id: bench.tenant,
        reason: 'pre_import',
        note: 'before new',
        created_by: 'admin',
        counts: { services: 1 },
      },
    });
    expect(kept.body.results).toContainEqual({
      action: 'skipped',
      resource_type: 'services',
      id: expect.any(String),
      name: 'one',
    });
    // A dry run says what is skipped like the real one, and nothing is created.
    const skipped = kept.body.results.filter((line: Answer['body']) => line.action === 'skipped');
    expect(dry.body).toMatchObject({ status: 'dry_run', results: skipped, snapshot: null });
    expect(dry.body.counts).toEqual({ created: 0, updated: 0, unchanged: 0, skipped: 1, failed: 0 });
    const willing = await bring(changed, '?dry_run=true&overwrite=true');
    expect(willing.body).toMatchObject({ status: 'dry_run', results: [], counts: { skipped: 0 } });
    const nothing = await bring(changed, '?snapshot=true');
    expect(nothing.body).toMatchObject({
      counts: { skipped: 1, unchanged: 1 },
      snapshot: null,
      revision: kept.body.revision,
    });
    const overwritten = await bring(changed, '?overwrite=true&snapshot=true');
    expect(overwritten.body).toMatchObject({
      status: 'success',
      counts: { updated: 1, unchanged: 1, skipped: 0 },
      snapshot: { revision: kept.body.revision },
      revision: kept.body.revision + 1,
    });
    expect((await call('GET', '/gateways/edge/services/one')).body.url).toBe('http://two.test');
  });

  it('changes nothing at all when a record is wrong', async () => {
    await freshTenant();
    const answer = await bring({
      ...edge,
      services: [service1, { gateway_name: 'edge', name: 'bad', url: 'nonsense' }],
    });
    expect(answer.body).toMatchObject({
      status: 'failed',
      validation: { valid: false, errors: [{ pointer: '/services/1/url', name: 'bad' }] },
      diff: { in_sync: false },
      counts: { created: 0, failed: 1 },
      results: [],
    });
    expect(await names('/gateways')).toEqual([]);
  });

  it('is refused when the live state moved, and when query and body name different tenants', async () => {
    await freshTenant();
    const { revision } = (await bring(edge)).body;
    const more = { gateways: [{ name: 'more' }] };
    for (const operation of ['import?', 'sync?dry_run=false&', 'sync?', 'import?atomic=false&']) {
      const stale = await call('POST', `/config/${operation}expected_revision=${revision - 1}`, {
        tenant_id: bench.tenant,
        ...more,
      });
      expect(stale.body, operation).toMatchObject({ status: 409, code: 'revision_conflict' });
      const other = await call('POST', `/config/${operation.replace(/[?&]$/, '')}`, { tenant_id: 'another', ...more });
      expect(other.body, operation).toMatchObject({ status: 400, code: 'tenant_mismatch' });
      const none = await bench.service.call('POST', `/api/v1/admin/config/${operation.replace(/[?&]$/, '')}`, more);
      expect(none.body, operation).toMatchObject({ status: 400, code: 'tenant_required' });
    }
    expect((await bring(more, `?expected_revision=${revision}`)).body.status).toBe('success');
    for (const query of [
      '?overwrite=yes',
      '?expected_revision=x',
      `?snapshot_note=${'n'.repeat(1001)}`,
      `?created_by=${'c'.repeat(257)}`,
    ]) {
      expect((await bring(more, query)).status, query).toBe(422);
    }
    expect((await bring(more, '?unknown=1')).status).toBe(400);
    expect((await call('POST', '/config/sync?atomic=false', { tenant_id: bench.tenant })).status).toBe(400);
  });

  it('takes an Idempotency-Key: the second time it gives the first answer and writes nothing', async () => {
    await freshTenant();
    const options = { headers: { 'idempotency-key': `import-${bench.tenant}` } };
    const first = await bring({ gateways: [{ name: 'g' }] }, '?snapshot=true', options);
    const second = await bring({ gateways: [{ name: 'g' }] }, '?snapshot=true', options);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect((await bring({ gateways: [{ name: 'h' }] }, '?snapshot=true', options)).status).toBe(422);
  });

  it('sync takes a snapshot before it changes anything, and names who says to have made it beside who did', async () => {
    await freshTenant();
    const dry = await call('POST', '/config/sync', { tenant_id: bench.tenant, ...edge });
    expect(dry.body).toMatchObject({ status: 'dry_run', snapshot: null });
    const first = await sync(edge, '&snapshot_note=release%207&created_by=pipeline%2042');
    expect(first.body).toMatchObject({
      status: 'success',
      snapshot: {
        tenant_id: bench.tenant,
        reason: 'pre_sync',
        note: 'release 7',
        created_by: 'pipeline 42',
        counts: {},
      },
    });
    expect(first.body.snapshot.revision).toBe(first.body.revision - 1);
    expect((await sync(edge)).body).toMatchObject({ status: 'success', snapshot: null, revision: first.body.revision });
    const without = await sync({ gateways: [{ name: 'second' }] }, '&snapshot=false');
    expect(without.body).toMatchObject({ status: 'success', snapshot: null });
    const refused = await sync({ gateways: [{ name: 1 }] });
    expect(refused.body).toMatchObject({ status: 'failed', snapshot: null });
    const audits = await call('GET', '/audits/?entity=gateway&actions=create');
    const [second, made] = audits.body.items;
    expect(made).toMatchObject({ actor_username: 'admin', metadata: { created_by: 'pipeline 42' } });
    expect(second.metadata?.created_by).toBeUndefined();
  });

  it("has no use for another tenant's IDs: they read like unknown ones, and what they belong to stays", async () => {
    await freshTenant();
    const own = bench.tenant;
    await bring({ gateways: [{ id: 'shared-id', name: 'own' }], consumers: [{ id: 'c-own', username: 'own' }] });
    const before = (await call('GET', '/config/export')).body;
    await freshTenant();
    const refusals = await Promise.all(
      ['shared-id', 'no-such-id'].map(async (id) => {
        const records = { services: [{ gateway_id: id, name: 's', url: 'http://a.test' }] };
        const { body } = await bring(records);
        return JSON.stringify(body.validation.errors).replaceAll(id, 'ID');
      }),
    );
    expect(refusals[0]).toContain('reference_not_found');
    expect(refusals[1]).toBe(refusals[0]);
    const credential = { consumer_id: 'c-own', type: 'api_key', name: 'k', key: 'some-long-key-of-mine' };
    expect((await bring({ consumer_credentials: [credential] })).body.validation.errors).toMatchObject([
      { code: 'reference_not_found', pointer: '/consumer_credentials/0/consumer_id' },
    ]);
    const nested = await bring({ gateways: [{ tenant_id: own, name: 'g' }] });
    expect(nested.body.validation.errors).toMatchObject([
      { code: 'tenant_mismatch', pointer: '/gateways/0/tenant_id' },
    ]);
    // IDs are a tenant's own: the same one may stand for another record here.
    const same = await bring({ gateways: [{ id: 'shared-id', name: 'mine' }] });
    expect(same.body).toMatchObject({ status: 'success', counts: { created: 1 } });
    bench.tenant = own;
    expect((await call('GET', '/config/export')).body).toEqual(before);
    const stranger = await bench.service.addUser(own, `u-${own}`, 'admin');
    const reader = await bench.service.addUser(own, `r-${own}`, 'reader');
    const foreign = await bench.service.call(
      'POST',
      '/api/v1/admin/config/import',
      { tenant_id: 't1' },
      { token: stranger },
    );
    expect(foreign.body).toMatchObject({ status: 403, code: 'cross_tenant' });
    const readOnly = await bench.service.call(
      'POST',
      '/api/v1/admin/config/import',
      { tenant_id: own },
      { token: reader },
    );
    expect(readOnly.body).toMatchObject({ status: 403, code: 'forbidden' });
  });
});
