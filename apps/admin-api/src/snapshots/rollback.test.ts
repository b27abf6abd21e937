import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLiveTotals } from '../config/live-totals.ts';
import { wholeTenant } from '../config/whole-tenant.test-support.ts';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';
import { naiveTotals, storedConfiguration } from './stored-configuration.test-support.ts';

const admin = '/api/v1/admin';

describeOnEachDatabase('rolling back to a snapshot', (context) => {
  let service: TestService;
  let tenantId = '';
  let tenants = 0;

  const at = (path: string): string => `${admin}${path}${path.includes('?') ? '&' : '?'}tenant_id=${tenantId}`;
  const call = async (method: string, path: string, body?: unknown, status = 200): Promise<Answer> => {
    const answer = await service.call(method, at(path), body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    return answer;
  };
  const make = async (path: string, body: object) => (await call('POST', path, body, 201)).body;
  const snapshot = async (note?: string) => make('/config/snapshots', note === undefined ? {} : { note });
  const rollBack = async (id: string, request: object = {}) =>
    (await call('POST', `/config/snapshots/${id}/rollback`, { tenant_id: tenantId, ...request })).body;
  const stored = () => storedConfiguration(context.database().read, tenantId);
  const exported = async (path = '/config/export'): Promise<string> => {
    const response = await fetch(`${service.url}${at(path)}`, {
      headers: { authorization: `Bearer ${service.token}` },
    });
    expect(response.status).toBe(200);
    return response.text();
  };
  const inOwnTenant = async (): Promise<void> => {
    tenantId = `acme-${(tenants += 1)}`;
    await service.addTenant(tenantId);
    await make('/gateways', { id: `edge-${tenants}`, name: 'edge' });
  };
  const edge = (path: string): string => `/gateways/edge${path}`;

  beforeAll(async () => {
    service = await startTestService(context.url());
  });
  afterAll(() => service.stop());

  it('a sync and an exact rollback give the export back byte for byte, and all that is stored', async () => {
    await inOwnTenant();
    const bundle = wholeTenant(tenantId);
    await call('POST', '/config/sync?dry_run=false', { ...bundle, gateways: [{ name: 'inner' }, { name: 'edge' }] });
    const [before, text] = [await stored(), await exported()];
    const change = {
      ...wholeTenant(tenantId),
      consumer_groups: [{ name: 'staff' }, { name: 'guests', consumers: ['ann'] }],
    };
    const synced = (await call('POST', '/config/sync?dry_run=false', change)).body;
    expect(synced).toMatchObject({ status: 'success', snapshot: { reason: 'pre_sync', tenant_id: tenantId } });
    expect(await exported()).not.toBe(text);
    expect(await exported(`/config/snapshots/${synced.snapshot.id}/export`)).toBe(text);
    await call('GET', '/config/snapshots/unknown/export', undefined, 404);

    const shown = await rollBack(synced.snapshot.id, { mode: 'exact', dry_run: true });
    expect(shown).toMatchObject({ status: 'dry_run', snapshot: null, results: [], counts: { created: 0, deleted: 0 } });
    const done = await rollBack(synced.snapshot.id, { mode: 'exact' });
    expect(done.diff).toEqual(shown.diff);
    expect(done).toMatchObject({ status: 'success', mode: 'exact', snapshot: { reason: 'pre_rollback' } });
    expect(done.counts).toMatchObject({ deleted: 1, failed: 0, skipped: 0 });
    expect(done.revision).toBe(synced.revision + 1);
    expect(await exported()).toBe(text);
    expect(await stored()).toEqual(before);
    expect(done.diff.changes.map((one: { action: string }) => one.action)).toContain('delete');

    // And forth again, by the snapshot that was taken before.
    const again = await rollBack(done.snapshot.id, { mode: 'exact' });
    expect(again.snapshot.config_hash).toBe(synced.snapshot.config_hash);
    const back = await rollBack(again.snapshot.id, { mode: 'exact' });
    expect(back.status).toBe('success');
    expect(await stored()).toEqual(before);
    const none = await rollBack(again.snapshot.id, { mode: 'exact' });
    expect(none).toMatchObject({ status: 'success', snapshot: null, diff: { in_sync: true }, results: [] });
    expect(none.revision).toBe(back.revision);
  });

  it('restore brings back what is gone or changed and leaves what came later', async () => {
    await inOwnTenant();
    await make(edge('/services'), { id: 'a', name: 'a', url: 'http://a.test' });
    await make(edge('/services'), { id: 'b', name: 'b', url: 'http://b.test' });
    await make(edge('/routes'), { id: 'r', name: 'r', path: '/r', service_id: 'b' });
    const taken = await snapshot('before');
    await call('DELETE', edge('/routes/r'), undefined, 204);
    await call('DELETE', edge('/services/b'), undefined, 204);
    await call('PATCH', edge('/services/a'), { url: 'http://other.test' });
    await make(edge('/services'), { id: 'c', name: 'c', url: 'http://c.test' });
    const done = await rollBack(taken.id, { note: 'oops' });
    expect(done.counts).toEqual({ created: 2, updated: 1, deleted: 0, unchanged: 1, skipped: 0, failed: 0 });
    expect(done.diff.summary).toEqual({ create: 2, update: 1, delete: 0, unchanged: 1, unmanaged: 1, total: 5 });
    expect(done.diff.unmanaged).toEqual([{ resource_type: 'services', id: 'c', name: 'c' }]);
    expect(done.diff.changes).toMatchObject([
      { action: 'create', resource_type: 'services', id: 'b' },
      { action: 'create', resource_type: 'routes', id: 'r' },
      { action: 'update', resource_type: 'services', id: 'a', fields: [{ path: '/url', new: 'http://a.test' }] },
    ]);
    expect(done.results).toHaveLength(3);
    expect(done.snapshot).toMatchObject({ reason: 'pre_rollback', note: 'oops', created_by: 'admin' });
    expect((await call('GET', edge('/routes/r'))).body).toMatchObject({ service_id: 'b', revision: 2 });
    expect((await call('GET', edge('/services/a'))).body).toMatchObject({ url: 'http://a.test', revision: 3 });
    await call('GET', edge('/services/c'));
  });

  it('names and references may have been traded meanwhile', async () => {
    await inOwnTenant();
    for (const id of ['a', 'b']) await make(edge('/services'), { id, name: id, url: `http://${id}.test` });
    await make(edge('/routes'), { id: 'r', name: 'r', path: '/r', service_id: 'a' });
    const [taken, before] = [await snapshot(), await stored()];
    // r → x, which took the name of a; a went; b took the place of what r had been.
    await call('PATCH', edge('/services/a'), { name: 'was-a' });
    await make(edge('/services'), { id: 'x', name: 'a', url: 'http://x.test' });
    await call('PATCH', edge('/routes/r'), { service_id: 'x', name: 'q' });
    await call('DELETE', edge('/services/a'), undefined, 204);
    await make(edge('/routes'), { id: 'later', name: 'r', path: '/later', service_id: 'b' });
    await call('PATCH', edge('/services/b'), { name: 'was-b' });
    await make(edge('/services'), { id: 'y', name: 'b', url: 'http://y.test' });
    const done = await rollBack(taken.id, { mode: 'exact' });
    expect(done.counts).toMatchObject({ created: 1, updated: 2, deleted: 3 });
    expect(await stored()).toEqual(before);
  });

  it('each record that changes has its audit record and change row, so that gateways follow', async () => {
    await inOwnTenant();
    await make('/consumers', { id: 'kim', username: 'kim' });
    const taken = await snapshot();
    await call('PATCH', '/consumers/kim', { custom_id: '1' });
    await make('/consumers', { id: 'lee', username: 'lee' });
    const { revision, snapshot: kept } = await rollBack(taken.id, { mode: 'exact' });
    const { read } = context.database();
    const ofRevision = read.selectFrom('changes').select(['family', 'id', 'action']).where('tenant_id', '=', tenantId);
    expect(await ofRevision.where('revision', '=', revision).orderBy('position').execute()).toEqual([
      { family: 'consumers', id: 'lee', action: 'delete' },
      { family: 'consumers', id: 'kim', action: 'update' },
    ]);
    const audits = (await service.call('GET', `${admin}/audits/?tenant_id=${tenantId}&limit=4`)).body.items;
    const lines = audits.map((one: { entity_type: string; action: string }) => `${one.action} ${one.entity_type}`);
    expect(lines.toSorted()).toEqual(
      ['create config_snapshot', 'delete consumer', 'rollback config_snapshot', 'update consumer'].toSorted(),
    );
    const rollback = audits.find((one: { action: string }) => one.action === 'rollback');
    expect(rollback).toMatchObject({
      entity_id: taken.id,
      metadata: { mode: 'exact', snapshot_before: kept.id, update: 1, delete: 1 },
    });
  });

  it('the hash follows every kind of write and is that of the whole', async () => {
    await inOwnTenant();
    const check = async (): Promise<string> => {
      const { read } = context.database();
      const totals = await readLiveTotals(read, tenantId);
      expect(totals).toMatchObject(await naiveTotals(read, tenantId));
      return totals.hash;
    };
    await call('POST', '/config/sync?dry_run=false&snapshot=false', wholeTenant(tenantId));
    const before = await check();
    const taken = await snapshot();
    expect(taken).toMatchObject({ config_hash: before, counts: { consumers: 3, gateways: 2 } });
    expect(taken.size_bytes).toBeGreaterThan(1000);
    // Takes credentials along and lets go of group and plugin.
    await call('DELETE', '/consumers/bob', undefined, 204);
    expect(await check()).not.toBe(before);
    await call('PATCH', '/gateways/edge/certificates/site', { snis: ['x.test', 'y.test'] });
    await check();
    await rollBack(taken.id, { mode: 'exact' });
    expect(await check()).toBe(before);
  });

  it('what cannot come back or go fails the whole and is named', async () => {
    await inOwnTenant();
    await make('/consumers', { id: 'kim', username: 'kim' });
    const taken = await snapshot();
    await call('DELETE', '/consumers/kim', undefined, 204);
    await make('/consumers', { id: 'other', username: 'kim' });
    await make('/gateways', { id: 'new', name: 'new' });
    await make('/data-planes', { id: 'node', name: 'node', gateway_id: 'new' });
    const before = await stored();
    const refused = async (mode: string): Promise<Answer['body']> => {
      const path = `/config/snapshots/${taken.id}/rollback`;
      const dry = await service.call('POST', at(path), { mode, dry_run: true });
      const { status, body } = await service.call('POST', at(path), { mode });
      expect([dry.status, dry.body.detail]).toEqual([status, body.detail]);
      expect(await stored()).toEqual(before);
      return { status, code: body.code, detail: body.detail };
    };
    expect(await refused('restore')).toEqual({
      status: 409,
      code: 'name_exists',
      detail: 'consumers kim (kim): a consumer with this username exists',
    });
    expect(await refused('exact')).toEqual({
      status: 409,
      code: 'referenced_by_others',
      detail: 'gateways new (new): the gateway is still referred to by data plane node',
    });
    expect((await call('GET', '/config/snapshots')).body.total).toBe(1);
  });

  it('a record whose plugin package is gone does not come back', async () => {
    await inOwnTenant();
    const schema = { type: 'object', properties: { text: { type: 'string' } } };
    await make('/plugin-packages', { id: 'own', name: 'own_plugin', version: '1.0.0', config_schema: schema });
    await make('/plugins', { id: 'p', name: 'own_plugin', config: { text: 'a' } });
    const taken = await snapshot();
    await call('DELETE', '/plugins/p', undefined, 204);
    await call('DELETE', '/plugin-packages/own', undefined, 204);
    const { status, body } = await service.call('POST', at(`/config/snapshots/${taken.id}/rollback`), {});
    expect([status, body.detail]).toEqual([422, expect.stringContaining('plugins own_plugin (p): ')]);
  });

  it('a record whose stored form is no longer valid does not come back', async () => {
    await inOwnTenant();
    await make('/consumers', { id: 'old', username: 'old' });
    const taken = await snapshot();
    await call('DELETE', '/consumers/old', undefined, 204);
    await context.database().transaction((transaction) =>
      transaction
        .updateTable('resource_history')
        .set({ body: JSON.stringify({ username: 'old', custom_id: 5 }) })
        .where('tenant_id', '=', tenantId)
        .execute(),
    );
    const { status, body } = await service.call('POST', at(`/config/snapshots/${taken.id}/rollback`), {});
    expect([status, body.code, body.detail]).toEqual([
      422,
      'validation_failed',
      expect.stringContaining('consumers old (old): '),
    ]);
    expect(body.errors).toMatchObject([{ pointer: '/custom_id' }]);
  });

  it('a record that was made anew in another gateway stays with restore, and goes back with exact', async () => {
    await inOwnTenant();
    await make('/gateways', { id: 'inner', name: 'inner' });
    await make(edge('/services'), { id: 's', name: 's', url: 'http://a.test' });
    const [taken, before] = [await snapshot(), await stored()];
    await call('DELETE', edge('/services/s'), undefined, 204);
    await make('/gateways/inner/services', { id: 's', name: 's', url: 'http://b.test' });
    const { status, body } = await service.call('POST', at(`/config/snapshots/${taken.id}/rollback`), {});
    expect([status, body.code]).toEqual([409, 'invalid_state']);
    await rollBack(taken.id, { mode: 'exact' });
    expect(await stored()).toEqual(before);
  });

  it('credentials and secrets are as they were, and nothing of them is shown', async () => {
    await inOwnTenant();
    const canary = (name: string): string => `canary-${name}-of-some-length`;
    await make('/consumers', { id: 'kim', username: 'kim' });
    const credential = (id: string, fields: object) =>
      make('/consumer-credentials', { id, consumer_id: 'kim', name: id, ...fields });
    await credential('key', { type: 'api_key', key: canary('key-1') });
    await credential('word', { type: 'basic', username: 'kim', password: canary('word-1') });
    await credential('hmac', { type: 'hmac', key_id: 'h', secret: canary('hmac-1') });
    const [taken, before] = [await snapshot(), await stored()];
    await call('PATCH', '/consumer-credentials/key', { key: canary('key-2') });
    await call('PATCH', '/consumer-credentials/word', { password: canary('word-2') });
    await call('PATCH', '/consumer-credentials/hmac', { secret: canary('hmac-2') });
    const done = await rollBack(taken.id);
    expect(await stored()).toEqual(before);
    expect(JSON.stringify(done)).not.toMatch(/canary|argon|[0-9a-f]{64}.*[0-9a-f]{64}.*[0-9a-f]{64}/);
    const changed = done.diff.changes.map(({ id, fields }: { id: string; fields: { secret_changed?: true }[] }) => [
      id,
      fields.some((field) => field.secret_changed === true),
    ]);
    expect(Object.fromEntries(changed)).toEqual({ hmac: true, key: true, word: true });
  });
});
