import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { type Answer, startTestService, type TestService } from '../testing/test-service.test-support.ts';

const admin = '/api/v1/admin';
const canary = 'canary-of-an-integration';

describeOnEachDatabase('integrations in snapshots', (context) => {
  let service: TestService;
  const call = async (method: string, path: string, status: number, body?: unknown): Promise<Answer['body']> => {
    const answer = await service.call(method, `${admin}${path}?tenant_id=acme`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    return answer.body;
  };
  const sealed = () =>
    context
      .database()
      .read.selectFrom('resources')
      .select(['name', 'body', 'secrets'])
      .where('family', '=', 'integrations')
      .orderBy('id')
      .execute();

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
  });
  afterAll(() => service.stop());

  it('come back with their sealed secrets, go with exact, and are in no bundle', async () => {
    const config = { base_url: 'https://registry.example' };
    const make = (name: string) =>
      call('POST', '/integrations', 201, { name, driver: 'api_registry', config, secrets: { api_key: canary } });
    const [deleted, changed] = [await make('deleted'), await make('changed')];
    const snapshot = await call('POST', '/config/snapshots', 201, {});
    expect(snapshot.counts).toEqual({ integrations: 2 });
    const before = await sealed();
    await call('DELETE', `/integrations/${deleted.id}`, 204);
    await call('PATCH', `/integrations/${changed.id}`, 200, { secrets: { api_key: 'another-secret-of-it' } });
    await make('later');
    const rollback = (more: object) =>
      call('POST', `/config/snapshots/${snapshot.id}/rollback`, 200, { ...more, mode: 'exact' });
    const dry = await rollback({ dry_run: true });
    expect(dry.diff.summary).toEqual({ create: 1, update: 1, delete: 1, unchanged: 0, unmanaged: 0, total: 3 });
    const done = await rollback({});
    expect(done.counts).toMatchObject({ created: 1, updated: 1, deleted: 1 });
    expect(await sealed()).toEqual(before);
    expect(JSON.stringify([snapshot, dry, done])).not.toContain(canary);
    expect(await call('GET', `/integrations/${deleted.id}`, 200)).toMatchObject({
      secrets_set: ['api_key'],
      last_sync: null,
    });

    const exported = await call('GET', `/config/snapshots/${snapshot.id}/export`, 200);
    expect(exported).not.toHaveProperty('integrations');
    const diff = await call('POST', '/config/diff', 200, await call('GET', '/config/export', 200));
    expect(diff.summary).toMatchObject({ unmanaged: 0, total: 0 });
  });
});
