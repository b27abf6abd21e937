import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createRuntime,
  type ConsumerIdentity,
  type InlinePlugin,
  type PluginInstance,
  type Scope,
  type Trigger,
} from './index.ts';
import { exchangeOf, gateway, identify, tracedIn, tracer } from './testing/fixtures.ts';

const plugins = [tracer('alpha'), tracer('beta'), tracer('gamma')];
const route = { id: 'r1', name: 'orders' };
const service = { id: 's1', name: 'shop' };
const target = { gateway, route, service, workspaceId: 'w1', tenantId: 't1' };

async function traceOf(
  instances: readonly PluginInstance[],
  inline: readonly InlinePlugin[] = [],
  consumer?: ConsumerIdentity,
) {
  const known = consumer === undefined ? [] : [{ id: '!', name: 'identify', priority: 100_000 }];
  const all = consumer === undefined ? plugins : [...plugins, identify(consumer)];
  const chain = createRuntime({ plugins: all, instances: [...known, ...instances] }).chainFor({ ...target, inline });
  const exchange = exchangeOf();
  await chain.runRequest(exchange);
  exchange.setResponse({ status: 200, headers: [], source: 'upstream' });
  await chain.runResponse(exchange);
  exchange.fail({ code: 'x', message: 'x' }, { status: 502, headers: [] });
  await chain.runError(exchange);
  return {
    request: tracedIn('request', exchange),
    response: tracedIn('response', exchange),
    error: tracedIn('error', exchange),
  };
}

const at = (id: string, name: string, priority?: number): PluginInstance => ({
  id,
  name,
  trigger: 'all',
  ...(priority === undefined ? {} : { priority }),
});

describe('the order of a stage', () => {
  it.each<[string, PluginInstance[], string[]]>([
    ['higher priority first', [at('a', 'alpha', -5), at('b', 'alpha', 5), at('c', 'alpha')], ['b', 'c', 'a']],
    ['then the name', [at('1', 'gamma'), at('2', 'alpha'), at('3', 'beta')], ['2', '3', '1']],
    [
      'then the ID, by code unit',
      [at('b', 'alpha'), at('a', 'alpha'), at('B', 'alpha'), at('10', 'alpha'), at('9', 'alpha')],
      ['10', '9', 'B', 'a', 'b'],
    ],
    [
      'all together',
      [at('z', 'beta', 1), at('y', 'gamma', 2), at('x', 'alpha', 1), at('w', 'alpha', 1)],
      ['y', 'w', 'x', 'z'],
    ],
  ])('is %s, the same on request, response and error', async (_name, instances, order) => {
    expect(await traceOf(instances)).toEqual({ request: order, response: order, error: order });
  });

  it('is the source order for inline entries that nothing else tells apart', async () => {
    const inline = [
      { name: 'alpha', config: { n: 1 } },
      { name: 'alpha', config: { n: 2 } },
    ].map((entry) => ({ ...entry, trigger: 'all' }) as const);
    expect((await traceOf([], inline)).request).toEqual(['r1/alpha', 'r1/alpha#2']);
  });

  it('has the collection before inline on the request, and after it on response and error, whatever the priorities', async () => {
    const inline = [
      { id: 'i1', name: 'beta', trigger: 'all', priority: 9 },
      { id: 'i2', name: 'beta', trigger: 'all', priority: 10 },
    ] as const;
    const trace = await traceOf([at('c1', 'alpha', -10), at('c2', 'alpha', -9)], inline);
    const outward = ['r1/i2', 'r1/i1', 'c2', 'c1'];
    expect(trace).toEqual({ request: ['c2', 'c1', 'r1/i2', 'r1/i1'], response: outward, error: outward });
  });
});

describe('triggers', () => {
  it.each<[Trigger, string[]]>([
    ['before_request', ['request']],
    ['after_response', ['response']],
    ['on_error', ['error']],
    ['both', ['request', 'response']],
    ['request_response', ['request', 'response']],
    ['all', ['request', 'response', 'error']],
  ])('%s runs in %o', async (trigger, stages) => {
    const trace = await traceOf([{ id: 'a', name: 'alpha', trigger }]);
    expect(
      Object.entries(trace)
        .filter(([, ids]) => ids.length > 0)
        .map(([stage]) => stage),
    ).toEqual(stages);
  });

  it("defaults to the plugin's first", async () => {
    expect(await traceOf([{ id: 'a', name: 'alpha' }])).toEqual({ request: ['a'], response: [], error: [] });
  });

  it('takes an inline stage for the matching trigger', async () => {
    const trace = await traceOf(
      [],
      [
        { name: 'alpha', stage: 'error' },
        { name: 'beta', stage: 'response' },
      ],
    );
    expect(trace).toEqual({ request: [], response: ['r1/beta'], error: ['r1/alpha'] });
  });

  it('does not load what is not enabled, inline entries included', async () => {
    const trace = await traceOf(
      [{ id: 'a', name: 'no_such_plugin', enabled: false }],
      [{ name: 'alpha', enabled: false }],
    );
    expect(trace.request).toEqual([]);
  });
});

describe('scopes', () => {
  const member = { id: 'c1', groups: ['gold', 'beta-testers'] };
  it.each<[string, Partial<PluginInstance>, ConsumerIdentity | undefined, boolean]>([
    ['no scope: the tenant', {}, undefined, true],
    ['global', { scope: 'global' }, undefined, true],
    ['its gateway', { scope: 'gateway', gateway_id: 'g1' }, undefined, true],
    ['another gateway', { scope: 'gateway', gateway_id: 'g2' }, undefined, false],
    ['its workspace', { scope: 'workspace', workspace_id: 'w1' }, undefined, true],
    ['another workspace', { scope: 'workspace', workspace_id: 'w2' }, undefined, false],
    ['its service by ID', { scope: 'service', service_id: 's1' }, undefined, true],
    ['its service by name', { scope: 'service', service_name: 'shop' }, undefined, true],
    ['another service', { scope: 'service', service_name: 's1' }, undefined, false],
    ['its route by ID', { scope: 'route', route_id: 'r1' }, undefined, true],
    ['its route by name', { scope: 'route', route_name: 'orders' }, undefined, true],
    ['another route', { scope: 'route', route_id: 'orders' }, undefined, false],
    ['its consumer', { scope: 'consumer', consumer_id: 'c1' }, member, true],
    ['another consumer', { scope: 'consumer', consumer_id: 'c2' }, member, false],
    ['a consumer, nobody identified', { scope: 'consumer', consumer_id: 'c1' }, undefined, false],
    ['one of the groups', { scope: 'consumer_group', consumer_group: 'beta-testers' }, member, true],
    ['another group', { scope: 'consumer_group', consumer_group: 'silver' }, member, false],
    ['route and service, both right', { scope: 'route', route_id: 'r1', service_id: 's1' }, undefined, true],
    ['route right, service wrong', { scope: 'route', route_id: 'r1', service_id: 's2' }, undefined, false],
    ['ID right, name wrong', { scope: 'route', route_id: 'r1', route_name: 'other' }, undefined, false],
    ['a further selector of a broad scope', { scope: 'tenant', gateway_id: 'g2' }, undefined, false],
    [
      'group right, consumer wrong',
      { scope: 'consumer_group', consumer_group: 'gold', consumer_id: 'c2' },
      member,
      false,
    ],
    ['consumer right, route wrong', { scope: 'consumer', consumer_id: 'c1', route_id: 'r2' }, member, false],
    ['another tenant', { tenant_id: 't2' }, undefined, false],
  ])('%s', async (_name, fields, consumer, runs) => {
    const trace = await traceOf([{ id: 'a', name: 'alpha', ...fields }], [], consumer);
    expect(trace.request).toEqual(runs ? ['a'] : []);
  });

  it('does not let a narrow instance replace a broad one', async () => {
    const trace = await traceOf([
      { id: 'broad', name: 'alpha' },
      { id: 'narrow', name: 'alpha', scope: 'route', route_id: 'r1' },
    ]);
    expect(trace.request).toEqual(['broad', 'narrow']);
  });

  it('does not run a consumer instance that stands before the authentication', async () => {
    const plugin = identify(member);
    const early: PluginInstance = {
      id: 'early',
      name: 'alpha',
      scope: 'consumer',
      consumer_id: 'c1',
      priority: 2,
      trigger: 'both',
    };
    const chain = createRuntime({
      plugins: [...plugins, plugin],
      instances: [early, { id: 'auth', name: 'identify', priority: 1 }],
    }).chainFor(target);
    const exchange = exchangeOf();
    await chain.runRequest(exchange);
    exchange.setResponse({ status: 200, headers: [], source: 'upstream' });
    await chain.runResponse(exchange);
    expect([tracedIn('request', exchange), tracedIn('response', exchange)]).toEqual([[], ['early']]);
  });
});

/** The specification's sentences, one filter each, over all instances at every request. */
function naiveOrder(instances: readonly PluginInstance[], consumer: ConsumerIdentity): string[] {
  const matches = (instance: PluginInstance) =>
    (instance.gateway_id ?? gateway.id) === gateway.id &&
    (instance.workspace_id ?? 'w1') === 'w1' &&
    (instance.service_id ?? service.id) === service.id &&
    (instance.service_name ?? service.name) === service.name &&
    (instance.route_id ?? route.id) === route.id &&
    (instance.route_name ?? route.name) === route.name &&
    (instance.consumer_id ?? consumer.id) === consumer.id &&
    (instance.consumer_group === undefined || consumer.groups.includes(instance.consumer_group));
  const before = (a: PluginInstance, b: PluginInstance) => {
    if ((a.priority ?? 0) !== (b.priority ?? 0)) return (a.priority ?? 0) > (b.priority ?? 0);
    return a.name === b.name ? a.id < b.id : a.name < b.name;
  };
  const left = instances.filter((instance) => instance.enabled !== false && matches(instance));
  const ordered: string[] = [];
  while (left.length > 0) {
    const first = left.reduce((best, one) => (before(one, best) ? one : best));
    ordered.push(first.id);
    left.splice(left.indexOf(first), 1);
  }
  return ordered;
}

describe('chains of random instances', () => {
  const maybe = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
  const selectors = fc.record({
    gateway_id: maybe('g1', 'g2'),
    workspace_id: maybe('w1', 'w2'),
    service_id: maybe('s1', 's2'),
    service_name: maybe('shop', 'other'),
    route_id: maybe('r1', 'r2'),
    route_name: maybe('orders', 'other'),
    consumer_id: maybe('c1', 'c2'),
    consumer_group: maybe('gold', 'silver'),
  });
  const instance = fc.record({
    name: fc.constantFrom('alpha', 'beta', 'gamma'),
    priority: fc.integer({ min: -2, max: 2 }),
    enabled: fc.boolean(),
    chosen: fc.subarray(
      [
        'gateway_id',
        'workspace_id',
        'service_id',
        'service_name',
        'route_id',
        'route_name',
        'consumer_id',
        'consumer_group',
      ] as const,
      { maxLength: 3 },
    ),
    selectors,
  });
  const instances = fc.array(instance, { maxLength: 12 }).chain((list) =>
    fc
      .shuffledSubarray(
        list.map((_one, index) => `i${index}`),
        { minLength: list.length },
      )
      .map((ids) =>
        list.map(({ name, priority, enabled, chosen, selectors: values }, index): PluginInstance => {
          const given = Object.fromEntries(
            chosen.map((key) => [key, values[key]]).filter(([, value]) => value !== undefined),
          );
          return {
            id: ids[index] ?? '',
            name,
            priority,
            enabled,
            trigger: 'all',
            scope: 'tenant' satisfies Scope,
            ...given,
          };
        }),
      ),
  );

  it('match, order and direction as the sentences of the specification say', async () => {
    const consumer = { id: 'c1', groups: ['gold'] };
    await fc.assert(
      fc.asyncProperty(instances, async (list) => {
        const order = naiveOrder(list, consumer);
        const inline = [
          { id: 'x', name: 'beta', trigger: 'all' },
          { id: 'y', name: 'alpha', trigger: 'all' },
        ] as const;
        const outward = ['r1/y', 'r1/x', ...order];
        expect(await traceOf(list, inline, consumer)).toEqual({
          request: [...order, 'r1/y', 'r1/x'],
          response: outward,
          error: outward,
        });
      }),
    );
  });
});
