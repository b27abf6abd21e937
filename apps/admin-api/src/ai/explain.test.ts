import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { type Answer, startTestService, type TestService } from '../testing/test-service.test-support.ts';

describeOnEachDatabase('explaining an AI request', (context) => {
  let service: TestService;
  const ids = { ann: '', bob: '', foreign: '', other: '' };
  const make = async (path: string, body: object, tenant = 'acme'): Promise<string> => {
    const answer = await service.call('POST', `/api/v1/admin${path}?tenant_id=${tenant}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.id;
  };
  const record = (kind: string, name: string, config: object, fields: object = {}): Promise<string> =>
    make('/ai-gateway/records', { kind, name, config, ...fields });
  const ask = (body: object, options?: object): Promise<Answer> => {
    const messages = [{ role: 'user', content: 'Fix the bug in my Python code' }];
    const sent = { tenant_id: 'acme', model: 'chat', messages, ...body };
    return service.call('POST', '/api/v1/admin/ai-gateway/explain', sent, options);
  };
  const explained = async (body: object): Promise<Answer['body']> => {
    const answer = await ask(body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const tenant of ['acme', 'globex']) await service.addTenant(tenant);
    const a = { provider: 'one', model: 'a' };
    const b = { provider: 'two', model: 'b' };
    await record('model_route', 'chat', {
      strategy: 'semantic',
      targets: [
        { ...a, hints: 'poems and songs' },
        { ...b, hints: 'debug code in python' },
        { provider: 'three', model: 'c', enabled: false },
      ],
    });
    await record('model_route', 'balanced', { strategy: 'weighted', targets: [{ ...a, weight: 3 }, b] });
    await record('model_route', 'disabled', { targets: [a] }, { enabled: false });
    await record('model_route', 'chat-x', { aliases: ['chat-by-another-name'], targets: [a] });
    await record('policy', 'vip', { group: 'vip', token_budget: 10, rate_limit: 5 });
    await record('policy', 'default', { allowed_models: ['chat*'], denied_models: ['chat-x'] });
    ids.ann = await make('/consumers', { username: 'ann', groups: ['vip'] });
    ids.bob = await make('/consumers', { username: 'bob' });
    ids.foreign = await make('/consumers', { username: 'eve' }, 'globex');
    await record('policy', ids.bob, { token_budget: 0, rate_limit: 0 });
    ids.other = await make('/plugins', { name: 'correlation_id', config: {} });
  });
  afterAll(() => service.stop());

  it('lists targets with scores, the policy and the estimate', async () => {
    expect(await explained({ consumer_id: ids.ann, max_tokens: 100 })).toEqual({
      model: 'chat',
      outcome: 'routed',
      status: null,
      reason: 'route of chat, strategy semantic',
      route: { id: expect.any(String), source: 'record', model: 'chat', strategy: 'semantic' },
      targets: [
        expect.objectContaining({ position: 1, provider: 'two', model: 'b', score: expect.any(Number) }),
        expect.objectContaining({ position: 2, provider: 'one', score: null, reason: 'does not score' }),
      ],
      policy: {
        id: expect.any(String),
        source: 'record',
        name: 'vip',
        scope: 'group',
        subject: 'vip',
        allowed: true,
        token_budget: 10,
        token_budget_window_seconds: 0,
        rate_limit: 5,
        rate_window_seconds: 60,
      },
      cache: null,
      token_estimate: { prompt_tokens: 8, max_tokens: 100, total_tokens: 108, prompt_characters: 29 },
      warnings: [
        'the estimate alone is above the token budget',
        'routes, policies and providers of ai_proxy plugins are looked at with plugin_id or route_id only',
      ],
    });
  });

  it('changes nothing: a weighted route says the same each time', async () => {
    const [first, second] = [
      await explained({ model: 'balanced', consumer_id: ids.bob }),
      await explained({ model: 'balanced', consumer_id: ids.bob }),
    ];
    expect(first).toEqual(second);
    expect(first.targets.map(({ share }: { share: number }) => share)).toEqual([0.75, 0.25]);
    expect(first.policy).toMatchObject({ scope: 'consumer', subject: ids.bob });
  });

  it.each([
    ['disabled', 'no_route', 404],
    ['constructor', 'no_route', 404],
    ['balanced', 'model_not_allowed', 403],
    // Allowed by its own name, and another name of a model that is denied.
    ['chat-by-another-name', 'model_not_allowed', 403],
  ])('%s is %s', async (model, outcome, status) => {
    expect(await explained({ model })).toMatchObject({ outcome, status, policy: { name: 'default', subject: '*' } });
  });

  it('is of one tenant: records, consumers and callers', async () => {
    const reader = await service.addUser('globex', 'reader', 'reader');
    const own = await ask({ tenant_id: 'globex' }, { token: reader });
    expect([own.status, own.body.outcome, own.body.policy]).toEqual([200, 'no_route', null]);
    expect((await ask({}, { token: reader })).status).toBe(403);
    for (const consumer of [ids.foreign, 'nobody']) {
      const answer = await ask({ consumer_id: consumer });
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, '/consumer_id']);
    }
    expect((await ask({ tenant_id: undefined })).status).toBe(400);
  });

  it.each([{ model: '' }, { messages: [] }, { messages: ['x'] }, { colour: 'red' }, { max_tokens: -1 }])(
    '%j is refused',
    async (fields) => {
      expect((await ask(fields)).status).toBe(422);
    },
  );

  it('routes and policies of a plugin go before records, as gateways have it', async () => {
    const provider = (name: string, fields: object = {}) => ({ name, type: 'openai', api_key: 'a-key', ...fields });
    const plugin = await make('/plugins', {
      name: 'ai_proxy',
      config: {
        providers: [provider('one'), provider('two', { models: ['gpt-*'] }), provider('three', { enabled: false })],
        default_provider: 'two',
        target_selection: 'priority',
        model_routes: [
          {
            model: 'balanced',
            targets: [
              { provider: 'one', model: 'x' },
              { provider: 'one', model: 'y', priority: 1 },
              { provider: 'three', model: 'z' },
            ],
          },
        ],
        consumer_policies: { '*': { rate_limit: 1 } },
        consumer_group_policies: { vip: { token_budget: 7, token_budget_window_seconds: 3600 } },
      },
    });
    const asked = (fields: object) => explained({ plugin_id: plugin, ...fields });
    const own = await asked({ model: 'balanced', consumer_id: ids.ann });
    expect(own).toMatchObject({
      route: { source: 'plugin', strategy: 'priority' },
      targets: [
        { model: 'y', reason: 'priority 1' },
        { model: 'x', reason: 'priority 0' },
      ],
      policy: { source: 'plugin', scope: 'group', token_budget: 7, token_budget_window_seconds: 3600 },
    });
    expect(own.targets).toHaveLength(2);
    expect(own.warnings).toContain('the plugin has no enabled provider three: its targets are left out');
    expect(await asked({ consumer_id: ids.ann })).toMatchObject({
      route: { source: 'record' },
      policy: { source: 'plugin' },
    });
    // A policy named default goes before one named *.
    expect(await asked({})).toMatchObject({ policy: { source: 'record', name: 'default' } });
    const passed = await asked({ model: 'gpt-9', consumer_id: ids.bob });
    expect(passed).toMatchObject({
      outcome: 'default_provider',
      route: null,
      targets: [{ provider: 'two', model: 'gpt-9' }],
    });
    expect(await asked({ model: 'claude', consumer_id: ids.bob })).toMatchObject({ outcome: 'no_route', targets: [] });
  });

  it('of a route: the ai_proxy that answers it, which stands in it or is for all of them', async () => {
    const [tenant, admin] = ['initech', '/gateways'];
    await service.addTenant(tenant);
    const bob = await make('/consumers', { username: 'bob' }, tenant);
    const gateway = await make(admin, { name: 'edge' }, tenant);
    const providers = [{ name: 'one', type: 'openai', api_key: 'a-key' }];
    const targets = [{ provider: 'one', model: 'x' }];
    const proxy = (model: string, fields: object = {}) => ({
      ...{ name: 'ai_proxy', config: { providers, model_routes: [{ model, targets }] } },
      ...fields,
    });
    const route = (name: string, plugins: object[]) =>
      make(`${admin}/${gateway}/routes`, { name, path: `/${name}`, plugins }, tenant);
    const inline = await route('inline', [proxy('first'), proxy('own'), proxy('off', { enabled: false })]);
    const bare = await route('bare', []);
    const asked = (routeId: string, model: string, fields: object = {}) =>
      explained({ tenant_id: tenant, route_id: routeId, model, ...fields });
    expect(await asked(inline, 'own')).toMatchObject({
      ...{ outcome: 'routed', warnings: [], targets: [{ model: 'x' }], route: { source: 'plugin' } },
    });
    // In a gateway the last one answers, and one that is off never does.
    for (const model of ['first', 'off']) expect((await asked(inline, model)).outcome).toBe('no_route');
    expect((await asked(bare, 'own')).warnings).toEqual(['no ai_proxy answers requests of the route']);
    await make('/plugins', proxy('shared', { scope: 'route', route_id: bare, priority: 7 }), tenant);
    await make('/plugins', proxy('for-bob', { scope: 'consumer', consumer_id: bob }), tenant);
    expect(await asked(bare, 'shared')).toMatchObject({ outcome: 'routed', warnings: [] });
    expect((await asked(bare, 'for-bob', { consumer_id: bob })).outcome).toBe('routed');
    expect((await asked(inline, 'own')).outcome).toBe('routed');
    const refusals = [
      await ask({ tenant_id: tenant, route_id: bare, plugin_id: bare }),
      await ask({ route_id: bare }),
    ].map(({ status, body }) => [status, body.errors[0].pointer]);
    expect(refusals).toEqual([
      [422, '/route_id'],
      [422, '/route_id'],
    ]);
  });

  it('says which cache counts: that of the plugin, the record called default, else the first', async () => {
    const tenant = 'cached';
    await service.addTenant(tenant);
    const cache = (name: string, config: object): Promise<string> =>
      make('/ai-gateway/records', { kind: 'cache', name, config }, tenant);
    const asked = (fields: object = {}) => explained({ tenant_id: tenant, model: 'x', ...fields });
    expect((await asked()).cache).toBeNull();
    const first = await cache('first', { ttl_seconds: 60 });
    expect((await asked()).cache).toMatchObject({ id: first, source: 'record', mode: 'exact', ttl_seconds: 60 });
    const other = await cache('default', { mode: 'hybrid', vary_by_consumer: false });
    const chosen = await asked();
    expect(chosen.cache).toMatchObject({ id: other, source: 'record', mode: 'hybrid', vary_by_consumer: false });
    expect(chosen.warnings).toContain(`record ${first} does not count, because another cache does`);
    const providers = [{ name: 'p', type: 'openai', api_key: 'k' }];
    const plugin = (semantic_cache: object): Promise<string> =>
      make('/plugins', { name: 'ai_proxy', scope: 'tenant', config: { providers, semantic_cache } }, tenant);
    const own = await plugin({ mode: 'semantic', similarity_threshold: 0.8 });
    const off = await plugin({ enabled: false });
    expect((await asked({ plugin_id: own })).cache).toMatchObject({
      id: own,
      source: 'plugin',
      similarity_threshold: 0.8,
    });
    expect((await asked({ plugin_id: off })).cache).toBeNull();
  });

  it('says that a window of zero switches a rate limit off', async () => {
    await record('policy', 'windowless', { group: 'typists', rate_limit: 1, rate_window_seconds: 0 });
    const tom = await make('/consumers', { username: 'tom', groups: ['typists'] });
    const warnings = (await explained({ consumer_id: tom })).warnings;
    expect(warnings).toContain('the policy’s rate window is 0, which switches its rate limit off');
  });

  it('a plugin that is none, or another one, is refused', async () => {
    for (const [id, code] of [
      ['none', 'reference_not_found'],
      [ids.other, 'validation_failed'],
    ] as const) {
      const answer = await ask({ plugin_id: id });
      expect(answer.status).toBe(422);
      expect(answer.body.errors).toMatchObject([{ pointer: '/plugin_id', code }]);
    }
  });
});
