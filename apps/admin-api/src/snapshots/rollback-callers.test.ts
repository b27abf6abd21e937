import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { inWriteSession } from '../resources/write-session.ts';
import { createWriterWorld, someActor } from '../resources/writer.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, CallOptions, TestService } from '../testing/test-service.test-support.ts';

describeOnEachDatabase('who asks for a rollback', (context) => {
  let service: TestService;
  let snapshotId = '';
  let token = '';
  const held = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<Headers>();
  const call = (method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer> =>
    service.call(method, `/api/v1/admin${path}?tenant_id=acme`, body, options);
  const rollBack = (body: object, options?: CallOptions): Promise<Answer> =>
    call('POST', `/config/snapshots/${snapshotId}/rollback`, body, options);

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    const robot = { tenant_id: 'acme', name: 'robot', scopes: ['admin:write'] };
    token = (await service.call('POST', '/api/v1/admin/api-tokens', robot)).body.token;
    await call('POST', '/consumers', { id: 'kim', username: 'kim', custom_id: 'former' });
    snapshotId = (await call('POST', '/config/snapshots', {})).body.id;
    await call('PATCH', '/consumers/kim', { custom_id: 'latter' });
    await call('POST', '/consumers', { id: 'untold', username: 'untold' });
  });
  afterAll(() => service.stop());

  it('a token that may not read is told which records change, and not what is in them or beside them', async () => {
    const dry = await rollBack({ dry_run: true }, { token });
    expect([dry.status, dry.body.code]).toEqual([403, 'forbidden']);
    expect(dry.body.detail).toContain('admin:read');
    const shown = await rollBack({ dry_run: true });
    expect(JSON.stringify(shown.body)).toMatch(/latter.*former.*untold/);
    const { status, body } = await rollBack({}, { token });
    expect([status, body.status]).toEqual([200, 'success']);
    expect(body.diff).toMatchObject({
      summary: { update: 1, unmanaged: 1 },
      changes: [{ action: 'update', id: 'kim', fields: [] }],
      unmanaged: [],
      not_listed: { changes: 0, unmanaged: 1 },
    });
    expect(JSON.stringify(body)).not.toMatch(/former|latter|untold/);
    await call('PATCH', '/consumers/kim', { custom_id: 'latter' });
  });

  it('one tenant has one at a time and few waiting, dry runs too', async () => {
    const { parts } = createWriterWorld(context.database(), {});
    const statuses: number[] = [];
    const asked = Array.from({ length: 4 }, async () => {
      const { status, headers } = await held.promise.then(() => rollBack({ dry_run: true }));
      if (status === 429) refused.resolve(headers);
      statuses.push(status);
    });
    // None of them can begin to write before the last is refused.
    await inWriteSession(parts, 'acme', someActor, async () => {
      held.resolve();
      expect((await refused.promise).get('retry-after')).toBe('5');
    });
    await Promise.all(asked);
    expect(statuses).toEqual([429, 200, 200, 200]);
  });

  it('a dry run leaves the key of its request for the rollback', async () => {
    const once = { headers: { 'idempotency-key': 'once' } };
    expect((await rollBack({ dry_run: true }, once)).body.status).toBe('dry_run');
    const done = await rollBack({}, once);
    expect(done.body).toMatchObject({ status: 'success', counts: { updated: 1 } });
    expect((await rollBack({}, once)).body).toEqual(done.body);
    expect((await rollBack({ mode: 'exact' }, once)).status).toBe(422);
  });
});
