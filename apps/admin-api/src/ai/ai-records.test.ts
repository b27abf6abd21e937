import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { type Answer, startTestService, type TestService } from '../testing/test-service.test-support.ts';

describeOnEachDatabase('AI gateway records', (context) => {
  let service: TestService;
  const records = '/ai-gateway/records';
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, `/api/v1/admin${path}${path.includes('?') ? '&' : '?'}tenant_id=acme`, body);
  const make = async (body: object): Promise<Answer['body']> => {
    const answer = await call('POST', records, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const pointersOf = (answer: Answer): string[] =>
    answer.body.errors.map(({ pointer }: { pointer: string }) => pointer);
  const targets = [{ provider: 'openai', model: 'gpt', routing_hints: 'code' }];

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
  });
  afterAll(() => service.stop());

  it('keeps what was meant, under the first name of everything', async () => {
    const route = await make({ kind: 'model_route', name: 'chat', config: { strategy: 'weighted_rr', targets } });
    expect(route.config).toEqual({
      strategy: 'weighted',
      latency_ewma_alpha: 0.3,
      targets: [{ provider: 'openai', model: 'gpt', hints: ['code'] }],
    });
    const patched = await call('PATCH', `${records}/${route.id}`, { config: { strategy: 'latency' } });
    expect(patched.body.config).toEqual({ ...route.config, strategy: 'least_latency' });
    const unchanged = await call('PATCH', `${records}/${route.id}`, { config: { strategy: 'least_latent' } });
    expect(unchanged.body.revision).toBe(patched.body.revision);
  });

  it('names every mistake of a config at its place', async () => {
    const wrong = await call('POST', records, {
      kind: 'cache',
      name: 'wrong',
      config: {
        similarity_threshold: 2,
        bogus: 1,
        vary_by_tenant: false,
        embedding_provider: { provider: 'p', api_key: 'k' },
      },
    });
    expect(wrong.status).toBe(422);
    expect(pointersOf(wrong).toSorted()).toEqual([
      '/config/bogus',
      '/config/embedding_provider/api_key',
      '/config/similarity_threshold',
      '/config/vary_by_tenant',
    ]);
    expect(pointersOf(await call('POST', records, { kind: 'model_route', name: 'empty' }))).toEqual([
      '/config/targets',
    ]);
    const both = { kind: 'policy', name: 'both', config: { group: 'a', consumer_group: 'b' } };
    const contradiction = await call('POST', records, both);
    expect(contradiction.body.errors).toMatchObject([{ pointer: '/config/group', code: 'contradiction' }]);
    expect(pointersOf(await call('POST', records, { kind: 'provider', name: 'x', config: {} }))).toEqual(['/kind']);
  });

  it('names are unique per kind, and a kind stays what it is', async () => {
    const policy = await make({ kind: 'policy', name: 'default', config: { rate_limit: 5 } });
    await make({ kind: 'cache', name: 'default' });
    expect((await call('POST', records, { kind: 'policy', name: 'default' })).status).toBe(409);
    const changed = await call('PATCH', `${records}/${policy.id}`, { kind: 'cache' });
    expect(changed.status).toBe(422);
    expect(pointersOf(changed)).toContain('/kind');
  });

  it('lists by kind', async () => {
    const list = await call('GET', `${records}?kind=policy`);
    expect(list.body.items.map(({ kind }: { kind: string }) => kind)).toEqual(['policy']);
  });

  it('bundles: records with aliases and without defaults are unchanged the second time', async () => {
    const bundle = {
      tenant_id: 'acme',
      ai_records: [
        { kind: 'model_route', name: 'bundled', config: { strategy: 'semantic_router', targets } },
        { kind: 'policy', name: 'bundled', config: { group: 'vip', allowed_models: ['gpt-*'] } },
        { kind: 'cache', name: 'bundled', config: { mode: 'hybrid', embedding: { provider: 'p', model: 'm' } } },
      ],
    };
    const sync = (body: object) => service.call('POST', '/api/v1/admin/config/sync?dry_run=false', body);
    expect((await sync(bundle)).body).toMatchObject({ status: 'success', counts: { created: 3 } });
    const second = await sync(bundle);
    expect(second.body.counts, JSON.stringify(second.body.diff)).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 3,
    });
    const wrong = await sync({ tenant_id: 'acme', ai_records: [{ kind: 'policy', name: 'w', config: { bogus: 1 } }] });
    expect(wrong.body.validation.errors).toMatchObject([
      { pointer: '/ai_records/0/config/bogus', code: 'unknown_field' },
    ]);
  });
});
