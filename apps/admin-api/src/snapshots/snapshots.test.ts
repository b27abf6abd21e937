import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLiveTotals } from '../config/live-totals.ts';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';
import { naiveTotals } from './stored-configuration.test-support.ts';
import { automaticSnapshotsMax, manualSnapshotsMax, snapshotNoteLengthMax } from './snapshot-limits.ts';

const snapshots = '/api/v1/admin/config/snapshots';

describeOnEachDatabase('snapshots over HTTP', (context) => {
  let service: TestService;
  let reader = '';
  let foreign = '';

  const call = (method: string, path: string, body?: unknown, token?: string): Promise<Answer> =>
    service.call(method, path, body, token === undefined ? {} : { token });
  const take = async (tenantId: string, fields: object = {}): Promise<Answer['body']> => {
    const answer = await call('POST', snapshots, { tenant_id: tenantId, ...fields });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const list = async (tenantId: string, query = ''): Promise<Answer> =>
    call('GET', `${snapshots}?tenant_id=${tenantId}${query}`);
  /** Takes so many by hand that one more is the last that a tenant may have. They are all of one state, as the first is. */
  const takeAllButOne = async (tenantId: string): Promise<void> => {
    const { id } = await take(tenantId);
    const { total, items } = (await list(tenantId, '&limit=200')).body;
    const byHand = items.filter(({ reason }: { reason: string }) => reason === 'manual').length;
    expect(total).toBe(items.length);
    await context.database().transaction(async (transaction) => {
      const first = await transaction
        .selectFrom('config_snapshots')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      const copies = Array.from({ length: manualSnapshotsMax - 1 - byHand }, (_, index) => ({
        ...(first ?? expect.unreachable()),
        id: `${id}-${index}`,
      }));
      await transaction.insertInto('config_snapshots').values(copies).execute();
    });
  };
  const historyOf = (tenantId: string) =>
    context.database().read.selectFrom('resource_history').selectAll().where('tenant_id', '=', tenantId).execute();

  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const tenantId of ['acme', 'globex', 'many', 'full', 'quiet', 'mixed']) await service.addTenant(tenantId);
    reader = await service.addUser('acme', 'rea', 'reader');
    foreign = await service.addUser('globex', 'glo', 'admin');
  });
  afterAll(() => service.stop());

  it('are taken, listed newest first in pages, read and deleted; all of it is audited', async () => {
    expect((await list('acme')).body).toEqual({ items: [], total: 0, skip: 0, limit: 50 });
    const first = await take('acme', { note: 'first', created_by: 'release 7' });
    expect(first).toEqual({
      id: expect.any(String),
      tenant_id: 'acme',
      note: 'first',
      created_by: 'release 7',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      reason: 'manual',
      config_hash: '0'.repeat(64),
      counts: {},
      size_bytes: 0,
      revision: expect.any(Number),
    });
    const second = await take('acme');
    expect(second).toMatchObject({ note: null, created_by: 'admin', revision: first.revision });
    const page = await list('acme', '&limit=1');
    expect(page.body).toEqual({ items: [second], total: 2, skip: 0, limit: 1 });
    expect(page.headers.get('x-total-count')).toBe('2');
    expect(page.headers.get('link')).toContain('rel="next"');
    expect((await list('acme', '&skip=1')).body.items).toEqual([first]);
    expect((await call('GET', `${snapshots}/${first.id}?tenant_id=acme`)).body).toEqual(first);
    expect((await call('DELETE', `${snapshots}/${first.id}?tenant_id=acme`)).status).toBe(204);
    expect((await call('GET', `${snapshots}/${first.id}?tenant_id=acme`)).status).toBe(404);
    expect((await call('DELETE', `${snapshots}/${first.id}?tenant_id=acme`)).status).toBe(404);
    const audits = await call('GET', '/api/v1/admin/audits/?tenant_id=acme&entity=config_snapshot');
    expect(audits.body.items.map((one: { action: string }) => one.action)).toEqual(['delete', 'create', 'create']);
    expect(audits.body.items[0]).toMatchObject({ entity_id: first.id, before: first });
  });

  it('belong to their tenant: another one’s is not found, whoever asks for what', async () => {
    const { id } = await take('acme');
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/rollback'],
    ] as const) {
      const body = method === 'POST' ? {} : undefined;
      const answers = [
        await call(method, `${snapshots}/${id}${path}`, body, foreign),
        await call(method, `${snapshots}/unknown${path}`, body, foreign),
        await call(method, `${snapshots}/${id}${path}?tenant_id=globex`, body),
      ];
      for (const answer of answers) {
        expect([answer.status, answer.body.code, answer.body.detail]).toEqual([404, 'not_found', 'Snapshot not found']);
      }
      expect((await call(method, `${snapshots}/${id}${path}?tenant_id=acme`, body, foreign)).status).toBe(403);
      expect((await call(method, `${snapshots}/${id}${path}`, body)).body.code).toBe('tenant_required');
    }
    expect((await call('GET', snapshots, undefined, foreign)).body.total).toBe(0);
    const other = await call('POST', `${snapshots}?tenant_id=acme`, { tenant_id: 'globex' });
    expect(other.body.code).toBe('tenant_mismatch');
  });

  it('readers look and change nothing; what is sent is checked', async () => {
    const { id } = await take('acme');
    expect((await call('GET', `${snapshots}/${id}`, undefined, reader)).status).toBe(200);
    expect((await call('GET', snapshots, undefined, reader)).status).toBe(200);
    expect((await call('POST', snapshots, {}, reader)).status).toBe(403);
    expect((await call('DELETE', `${snapshots}/${id}`, undefined, reader)).status).toBe(403);
    expect((await call('POST', `${snapshots}/${id}/rollback`, { dry_run: true }, reader)).status).toBe(403);
    for (const [path, body] of [
      ['', { note: 'n'.repeat(snapshotNoteLengthMax + 1) }],
      ['', { note: 5 }],
      ['', { reason: 'pre_sync' }],
      [`/${id}/rollback`, { mode: 'all' }],
      [`/${id}/rollback`, { dry_run: 'yes' }],
      [`/${id}/rollback`, { snapshot: false }],
    ] as const) {
      const answer = await call('POST', `${snapshots}${path}`, { tenant_id: 'acme', ...body });
      expect([answer.status, answer.body.code], JSON.stringify(body)).toEqual([422, 'validation_failed']);
    }
    expect((await call('POST', `${snapshots}?tenant_id=acme`)).status).toBe(201);
  });

  it('a tenant has so many by hand; of those that are taken by themselves the oldest go', async () => {
    const path = '/api/v1/admin/config/sync?dry_run=false';
    const sync = async (index: number): Promise<string> => {
      const bundle = { tenant_id: 'many', consumers: [{ username: 'kim', custom_id: String(index) }] };
      return (await call('POST', path, bundle)).body.snapshot.id;
    };
    const first = await take('many');
    const oldest = await sync(0);
    const second = await sync(1);
    for (let index = 2; index < automaticSnapshotsMax; index += 1) await sync(index);
    expect((await list('many')).body.total).toBe(automaticSnapshotsMax + 1);
    await sync(automaticSnapshotsMax);
    expect((await list('many')).body.total).toBe(automaticSnapshotsMax + 1);
    expect((await call('GET', `${snapshots}/${oldest}?tenant_id=many`)).status).toBe(404);
    for (const id of [first.id, second]) {
      expect((await call('GET', `${snapshots}/${id}?tenant_id=many`)).status).toBe(200);
    }
    await takeAllButOne('many');
    await take('many');
    const refused = await call('POST', snapshots, { tenant_id: 'many' });
    expect([refused.status, refused.body.code]).toEqual([409, 'invalid_state']);
    expect(refused.body.detail).toContain(String(manualSnapshotsMax));
    // By themselves they still are.
    await sync(-1);
  }, 180_000);

  it('a tenant without snapshots keeps no earlier states; one with keeps each that one of them needs, once', async () => {
    const consumers = '/api/v1/admin/consumers';
    const change = (customId: string) => call('PATCH', `${consumers}/kim?tenant_id=quiet`, { custom_id: customId });
    await call('POST', consumers, { tenant_id: 'quiet', id: 'kim', username: 'kim' });
    await change('1');
    expect(await historyOf('quiet')).toEqual([]);
    const taken = await take('quiet');
    await call('POST', consumers, { tenant_id: 'quiet', id: 'lee', username: 'lee' });
    expect(await historyOf('quiet')).toEqual([]);
    await change('2');
    await change('3');
    await take('quiet');
    await take('quiet');
    await change('4');
    const kept = (await historyOf('quiet')).map((row) => JSON.parse(row.body).custom_id);
    expect(kept).toEqual(['1', '3']);
    for (const { id } of (await list('quiet')).body.items) await call('DELETE', `${snapshots}/${id}?tenant_id=quiet`);
    await change('5');
    expect(await historyOf('quiet')).toHaveLength(2);
    expect((await call('POST', `${snapshots}/${taken.id}/rollback`, { tenant_id: 'quiet' })).status).toBe(404);
  });

  it('what a release that knows no snapshots wrote is counted with the next write, whatever that is', async () => {
    await call('POST', '/api/v1/admin/consumers', { tenant_id: 'mixed', id: 'kim', username: 'kim' });
    await context.database().transaction(async (transaction) => {
      const older = transaction.updateTable('resources').set({ body: '{"username":"kim","custom_id":"older"}' });
      await older.where('tenant_id', '=', 'mixed').where('id', '=', 'kim').execute();
      const revisions = transaction.updateTable('tenant_revisions').where('tenant_id', '=', 'mixed');
      await revisions.set(({ ref }) => ({ revision: sql<number>`${ref('revision')} + 1` })).execute();
    });
    // No configuration itself.
    await call('POST', '/api/v1/admin/workspaces', { tenant_id: 'mixed', name: 'w' });
    const { read } = context.database();
    expect(await readLiveTotals(read, 'mixed')).toMatchObject(await naiveTotals(read, 'mixed'));
  });

  it('two snapshots at once under one limit: the lock of the tenant lets one more in', async () => {
    await takeAllButOne('full');
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', snapshots, { tenant_id: 'full' })));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409', '409']);
  }, 180_000);
});
