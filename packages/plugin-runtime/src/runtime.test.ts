import { describe, expect, it } from 'vitest';
import {
  PluginConfigurationError,
  buildRuntime,
  buildRuntimeInSlices,
  createRuntime,
  type InlinePlugin,
  type PluginInstance,
  type Runtime,
} from './index.ts';
import { exchangeOf, gateway, pluginOf, tracer } from './testing/fixtures.ts';

const route = (id: string) => ({ gateway, route: { id, name: id }, service: { id: 's1', name: 'shop' } });

describe('buildRuntime', () => {
  const plugins = [
    tracer('alpha'),
    pluginOf('picky', () => {
      throw new Error('hunter2');
    }),
    pluginOf('early', () => ({}), { triggers: ['before_request'] }),
  ];

  it.each<[string, Partial<PluginInstance> | Record<string, unknown>, string, string]>([
    ['an unknown plugin', { name: 'nope' }, '/name', 'unknown_plugin'],
    ['an unknown trigger', { trigger: 'sometimes' }, '/trigger', 'unknown_trigger'],
    [
      'a trigger on which the plugin does nothing',
      { name: 'early', trigger: 'after_response' },
      '/trigger',
      'unsupported_trigger',
    ],
    ['an unknown scope', { scope: 'planet' }, '/scope', 'unknown_scope'],
    ['a scope named as a method of objects', { scope: 'toString' }, '/scope', 'unknown_scope'],
    ['scope gateway without its selector', { scope: 'gateway' }, '/gateway_id', 'selector_required'],
    [
      'scope service with the selector of another',
      { scope: 'service', route_id: 'r' },
      '/service_id',
      'selector_required',
    ],
    ['scope consumer_group without its selector', { scope: 'consumer_group' }, '/consumer_group', 'selector_required'],
    ['a priority that is too high', { priority: 100_001 }, '/priority', 'out_of_range'],
    ['a priority that is no whole number', { priority: 0.5 }, '/priority', 'out_of_range'],
    ['timeout_ms below 10', { execution: { timeout_ms: 9 } }, '/execution/timeout_ms', 'out_of_range'],
    ['timeout_ms above 30000', { execution: { timeout_ms: 30_001 } }, '/execution/timeout_ms', 'out_of_range'],
    [
      'hook_timeouts_ms out of range',
      { execution: { hook_timeouts_ms: { request: 1 } } },
      '/execution/hook_timeouts_ms/request',
      'out_of_range',
    ],
    [
      'hook_timeouts_ms of no hook',
      { execution: { hook_timeouts_ms: { before: 10 } } },
      '/execution/hook_timeouts_ms/before',
      'unknown_field',
    ],
    ['failure_threshold 0', { execution: { failure_threshold: 0 } }, '/execution/failure_threshold', 'out_of_range'],
    [
      'recovery_timeout_ms below 100',
      { execution: { recovery_timeout_ms: 99 } },
      '/execution/recovery_timeout_ms',
      'out_of_range',
    ],
    [
      'max_concurrency above 256',
      { execution: { max_concurrency: 257 } },
      '/execution/max_concurrency',
      'out_of_range',
    ],
    ['an unknown failure_mode', { execution: { failure_mode: 'open' } }, '/execution/failure_mode', 'unknown_value'],
    ['an unknown policy field', { execution: { retries: 1 } }, '/execution/retries', 'unknown_field'],
    ['a config that the schema refuses', { config: 'text' }, '/config', 'type'],
    ['a setup that throws', { name: 'picky' }, '', 'setup_failed'],
  ])('refuses %s, naming instance and place', (_name, fields, pointer, code) => {
    const instance = { id: 'bad', name: 'alpha', ...fields } as PluginInstance;
    const build = buildRuntime({ plugins, instances: [{ id: 'good', name: 'alpha' }, instance] });
    const issues = build.ok ? [] : build.issues;
    expect(issues).toMatchObject([{ source: 'collection', index: 1, id: 'bad', name: instance.name, pointer, code }]);
    expect(JSON.stringify(issues)).not.toContain('hunter2');
  });

  it('lists every mistake of every instance, and sets nothing up', () => {
    let setups = 0;
    const counting = pluginOf('counting', () => ((setups += 1), {}));
    const instances = [
      { id: 'a', name: 'counting' },
      { id: 'b', name: 'nope', priority: 1e9 },
      { id: 'a', name: 'counting' },
    ];
    const build = buildRuntime({ plugins: [counting], instances });
    expect(build.ok ? [] : build.issues.map(({ id, pointer }) => id + pointer).sort()).toEqual([
      'a/id',
      'b/name',
      'b/priority',
    ]);
    expect(setups).toBe(0);
  });

  it('disposes what was set up when a later instance cannot be', () => {
    let disposed = 0;
    const good = pluginOf('good', () => ({ dispose: () => void (disposed += 1) }));
    expect(
      buildRuntime({
        plugins: [good, ...plugins],
        instances: [
          { id: 'a', name: 'good' },
          { id: 'b', name: 'picky' },
        ],
      }).ok,
    ).toBe(false);
    expect(disposed).toBe(1);
  });

  it('throws the same as a typed error from createRuntime', () => {
    const create = () => createRuntime({ plugins, instances: [{ id: 'x', name: 'nope' }] });
    expect(create).toThrow(PluginConfigurationError);
    expect(create).toThrow('plugin nope (x) /name: no plugin of this name is installed');
  });

  it('accepts all for every plugin, and both names of both', () => {
    const both = pluginOf('both_ways', () => ({}), { triggers: ['both'] });
    const triggers = ['all', 'both', 'request_response'] as const;
    expect(
      buildRuntime({
        plugins: [both],
        instances: triggers.map((trigger) => ({ id: trigger, name: 'both_ways', trigger })),
      }).ok,
    ).toBe(true);
  });

  it('refuses two plugins of one name as the mistake in the program that it is', () => {
    expect(() => buildRuntime({ plugins: [tracer('alpha'), tracer('alpha')] })).toThrow(TypeError);
  });
});

describe('chains', () => {
  it.each<[string, InlinePlugin, string, string]>([
    ['an unknown plugin', { name: 'nope' }, '/name', 'unknown_plugin'],
    ['an unknown stage', { name: 'alpha', stage: 'before' as never }, '/stage', 'unknown_value'],
    [
      'a stage that contradicts the trigger',
      { name: 'alpha', stage: 'error', trigger: 'both' },
      '/stage',
      'contradiction',
    ],
    ['a stage that the plugin does not have', { name: 'alpha', stage: 'stream' }, '/stage', 'unsupported_trigger'],
  ])('tell of an inline entry with %s', (_name, entry, pointer, code) => {
    const runtime = createRuntime({ plugins: [tracer('alpha')] });
    const build = runtime.buildChain({ ...route('r1'), inline: [{ name: 'alpha' }, entry] });
    expect(build).toMatchObject({ ok: false, issues: [{ source: 'inline', index: 1, pointer, code }] });
    expect(() => runtime.chainFor({ ...route('r1'), inline: [entry] })).toThrow(PluginConfigurationError);
  });

  it('are one object for all routes that nothing distinguishes, and instances are set up once', () => {
    let setups = 0;
    const plugin = pluginOf('counting', () => ((setups += 1), { request: () => undefined }));
    const instances: PluginInstance[] = [
      { id: 'a', name: 'counting' },
      { id: 'b', name: 'counting', scope: 'route', route_id: 'special' },
    ];
    const runtime = createRuntime({ plugins: [plugin], instances });
    const chains = new Set(Array.from({ length: 2000 }, (_one, index) => runtime.chainFor(route(`r${index}`))));
    expect([chains.size, setups]).toEqual([1, 2]);
    expect(runtime.chainFor(route('special'))).not.toBe(runtime.chainFor(route('r1')));
  });

  it('go on in the next runtime exactly where no instance in them changed, moved or went', () => {
    const plugins = [tracer('alpha'), tracer('beta')];
    const before: PluginInstance[] = [
      { id: 'all', name: 'alpha' },
      { id: 'one', name: 'beta', scope: 'route', route_id: 'special' },
    ];
    const [all, one] = before as [PluginInstance, PluginInstance];
    const changes: [string, PluginInstance[], readonly [boolean, boolean]][] = [
      ['nothing', [all, one], [true, true]],
      ['its instance has another config', [all, { ...one, config: { n: 1 } }], [true, false]],
      ['its instance has another trigger', [all, { ...one, trigger: 'all' }], [true, false]],
      ['its instance is for one consumer', [all, { ...one, consumer_id: 'c' }], [true, false]],
      ['its instance is for one group', [all, { ...one, consumer_group: 'g' }], [true, false]],
      ['its instance comes first', [all, { ...one, priority: 5 }], [true, false]],
      ['its instance went', [all], [true, false]],
      ['a common instance has another config', [{ ...all, config: { n: 1 } }, one], [false, false]],
      ['another route has an instance', [all, one, { ...one, id: 'two', route_id: 'r9' }], [true, true]],
    ];
    for (const [name, instances, goOn] of changes) {
      const previous = createRuntime({ plugins, instances: before });
      const chains = ['r1', 'special'].map((id) => previous.chainFor(route(id)));
      const next = createRuntime({ plugins, instances, previous });
      const nextChains = ['r1', 'special'].map((id) => next.chainFor(route(id)));
      expect([name, ...nextChains.map((chain, at) => chain === chains[at])]).toEqual([name, ...goOn]);
      previous.dispose();
      const exchange = exchangeOf();
      expect([name, nextChains[0]?.runRequest(exchange)]).toEqual([name, 'continue']);
      next.dispose();
    }
  });

  it('are compiled anew where the host takes answers of another kind', () => {
    const options = { plugins: [tracer('alpha')], instances: [{ id: 'all', name: 'alpha' }] };
    const previous = createRuntime(options);
    const chain = previous.chainFor(route('r1'));
    const next = createRuntime({ ...options, adoptResponse: () => undefined, previous });
    expect(next.chainFor(route('r1'))).not.toBe(chain);
  });

  it('say which stages are empty', () => {
    const plugin = pluginOf('response_only', () => ({ response: () => undefined }));
    const chain = createRuntime({
      plugins: [plugin],
      instances: [{ id: 'a', name: 'response_only', trigger: 'all' }],
    }).chainFor({ gateway });
    expect([chain.hasRequestHooks, chain.hasResponseHooks, chain.hasErrorHooks]).toEqual([false, true, false]);
  });
});

describe('explain', () => {
  it('lists every instance in request order with the reason why it is in or out', () => {
    const instances: PluginInstance[] = [
      { id: 'c', name: 'alpha', scope: 'consumer_group', consumer_group: 'gold' },
      { id: 'a', name: 'alpha', priority: 5 },
      { id: 'd', name: 'alpha', scope: 'route', route_id: 'r2' },
      { id: 'b', name: 'alpha', enabled: false, trigger: 'both' },
    ];
    const runtime = createRuntime({ plugins: [tracer('alpha')], instances });
    const explained = runtime.explain({ ...route('r1'), inline: [{ name: 'alpha', trigger: 'on_error' }] });
    expect(explained.map(({ source, id, included, reason, stages }) => [source, id, included, reason, stages])).toEqual(
      [
        ['collection', 'a', true, 'scope tenant matches', ['request']],
        ['collection', 'b', false, 'is not enabled', ['request', 'response']],
        ['collection', 'c', true, 'runs when the consumer is in group gold', ['request']],
        ['collection', 'd', false, 'route_id is another', ['request']],
        ['inline', '', true, 'stands in the route', ['error']],
      ],
    );
  });
});

describe('a runtime that is built in slices', () => {
  it('is the one that is built at once, and lets others run after each instance', async () => {
    const plugin = pluginOf('plain', () => ({ request: () => undefined }));
    const instances = Array.from({ length: 5 }, (_, at) => ({ id: `i${at}`, name: 'plain' }));
    let pauses = 0;
    const slices = { isOver: true, next: async () => void (pauses += 1) };
    const build = await buildRuntimeInSlices({ plugins: [plugin], instances }, slices);
    if (!build.ok) throw new TypeError('it has no mistake');
    expect(build.runtime.status().map(({ instance }) => instance.id)).toEqual(instances.map(({ id }) => id));
    expect(pauses).toBe(10);
    const bad = {
      plugins: [plugin],
      instances: [...instances, { id: 'i0', name: 'plain' }, { id: 'x', name: 'lost' }],
    };
    expect(await buildRuntimeInSlices(bad, slices)).toEqual(buildRuntime(bad));
  });
});

describe('a runtime that lives long', () => {
  const life: string[] = [];
  const plugin = pluginOf('lively', (config, { instance }) => {
    const name = `${instance.id} ${JSON.stringify(config)}`;
    life.push(`setup ${name}`);
    return { request: () => undefined, dispose: () => void life.push(`dispose ${name}`) };
  });
  const entry = (n: number): InlinePlugin => ({ name: 'lively', config: { n } });

  it('lets the inline instances of chains go that are replaced, and keeps those that go on', () => {
    life.length = 0;
    const runtime = createRuntime({ plugins: [plugin], instances: [{ id: 'c', name: 'lively' }] });
    const first = runtime.chainFor({ ...route('r1'), inline: [entry(1), entry(2)] });
    const second = runtime.chainFor({ ...route('r1'), inline: [entry(1), entry(3)] });
    runtime.releaseChain(first);
    runtime.releaseChain(first);
    expect(life.slice(1)).toEqual([
      'setup r1/lively {"n":1}',
      'setup r1/lively#2 {"n":2}',
      'setup r1/lively#2 {"n":3}',
      'dispose r1/lively#2 {"n":2}',
    ]);
    expect(runtime.status().map(({ instance }) => instance.id)).toEqual(['c', 'r1/lively', 'r1/lively#2']);
    runtime.releaseChain(second);
    runtime.releaseChain(runtime.chainFor(route('r2')));
    expect(runtime.status().map(({ instance }) => instance.id)).toEqual(['c']);
    runtime.dispose();
    expect(life.filter((line) => line.startsWith('dispose'))).toHaveLength(4);
  });

  it('keeps nothing of a chain that could not be built', () => {
    life.length = 0;
    const bad = pluginOf('bad', () => {
      throw new Error('x');
    });
    const runtime = createRuntime({ plugins: [plugin, bad] });
    const kept = runtime.chainFor({ ...route('r1'), inline: [entry(1)] });
    const build = runtime.buildChain({ ...route('r1'), inline: [entry(1), entry(2), { name: 'bad' }] });
    expect([build.ok, life.slice(1)]).toEqual([false, ['setup r1/lively#2 {"n":2}', 'dispose r1/lively#2 {"n":2}']]);
    runtime.releaseChain(kept);
    expect(runtime.status()).toEqual([]);
  });
});

describe('a runtime that replaces another', () => {
  const life: string[] = [];
  const counter = pluginOf('counter', (_config, { instance }) => {
    let count = 0;
    life.push(`setup ${instance.id}`);
    return {
      request: () => ({ headers: [{ op: 'set', name: instance.id.replace('/', '-'), value: String((count += 1)) }] }),
      dispose: () => void life.push(`dispose ${instance.id}`),
    };
  });
  const countOf = (runtime: Runtime, id: string, inline?: InlinePlugin[]) => {
    const exchange = exchangeOf();
    void runtime.chainFor({ gateway, ...(inline === undefined ? {} : { inline }) }).runRequest(exchange);
    return exchange.request.headers.get(id);
  };

  it('keeps what did not change, makes what did anew, and disposes what nobody runs any more', () => {
    const before: PluginInstance[] = [
      { id: 'same', name: 'counter', config: { a: 1 } },
      { id: 'moved', name: 'counter' },
      { id: 'changed', name: 'counter', config: { a: 1 } },
      { id: 'gone', name: 'counter' },
    ];
    const old = createRuntime({ plugins: [counter], instances: before });
    for (const { id } of before) countOf(old, id);
    life.length = 0;
    const after: PluginInstance[] = [
      { id: 'same', name: 'counter', config: { a: 1 } },
      { id: 'moved', name: 'counter', priority: 9, labels: { a: 'b' } },
      { id: 'changed', name: 'counter', config: { a: 2 } },
    ];
    const next = createRuntime({ plugins: [counter], instances: after, previous: old });
    expect(life).toEqual(['setup changed']);
    old.dispose();
    expect(life).toEqual(['setup changed', 'dispose changed', 'dispose gone']);
    // Each look runs them all: four before, and these three.
    expect([countOf(next, 'same'), countOf(next, 'moved'), countOf(next, 'changed')]).toEqual(['5', '6', '3']);
    next.dispose();
    next.dispose();
    expect(life.slice(3).toSorted()).toEqual(['dispose changed', 'dispose moved', 'dispose same']);
  });

  it('keeps inline instances too', () => {
    const inline = [{ name: 'counter' }];
    const old = createRuntime({ plugins: [counter] });
    countOf(old, 'inline-counter', inline);
    const next = createRuntime({ plugins: [counter], previous: old });
    next.chainFor({ gateway, inline });
    old.dispose();
    expect(countOf(next, 'inline-counter', inline)).toBe('2');
  });

  it('keeps an open circuit', () => {
    const broken = pluginOf('broken', () => ({
      request: () => {
        throw new Error('x');
      },
    }));
    const instances = [{ id: 'a', name: 'broken', execution: { failure_threshold: 1 } }];
    const old = createRuntime({ plugins: [broken], instances });
    void old.chainFor({ gateway }).runRequest(exchangeOf());
    expect(createRuntime({ plugins: [broken], instances, previous: old }).status()).toMatchObject([
      { circuit: 'open' },
    ]);
  });

  it('leaves the old one whole when it cannot be built', () => {
    life.length = 0;
    const old = createRuntime({ plugins: [counter], instances: [{ id: 'a', name: 'counter' }] });
    countOf(old, 'a');
    expect(
      buildRuntime({
        plugins: [counter],
        instances: [
          { id: 'a', name: 'counter' },
          { id: 'b', name: 'nope' },
        ],
        previous: old,
      }).ok,
    ).toBe(false);
    expect([countOf(old, 'a'), life]).toEqual(['2', ['setup a']]);
  });

  it('survives a dispose that throws', () => {
    const rude = pluginOf('rude', () => ({
      dispose: () => {
        throw new Error('x');
      },
    }));
    const runtime = createRuntime({ plugins: [rude], instances: [{ id: 'a', name: 'rude' }] });
    expect(() => runtime.dispose()).not.toThrow();
  });
});
