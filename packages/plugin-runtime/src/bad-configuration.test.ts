import { describe, expect, it } from 'vitest';
import {
  PluginConfigurationError,
  PluginRuntimeError,
  buildRuntime,
  checkInline,
  checkInstance,
  createRuntime,
  definePlugin,
  pluginsByName,
  type InlinePlugin,
  type Plugin,
  type PluginInstance,
  type StandardSchemaV1,
} from './index.ts';
import { exchangeOf, gateway, pluginOf, tracedIn, tracer } from './testing/fixtures.ts';

const alpha = tracer('alpha');
const plugins = [alpha];
const broken = (): never => {
  throw new Error('hunter2');
};
const unreadable = new Proxy({}, { ownKeys: broken, get: broken, has: broken });

/** The mistakes of one instance among good ones. */
function issuesOf(instance: unknown, installed: readonly Plugin[] = plugins) {
  const good = { id: 'good', name: installed[0]?.name ?? '' };
  const build = buildRuntime({ plugins: installed, instances: [good, instance as PluginInstance] });
  return build.ok ? [] : build.issues;
}

describe('an inline entry with fields of a scope', () => {
  it.each([{ scope: 'global' }, { consumer_group: 'gold' }, { route_id: 'r1' }])(
    'is refused, for it would run for everybody: %o',
    (fields) => {
      const [field] = Object.keys(fields);
      expect(checkInline(pluginsByName(plugins), { name: 'alpha', ...fields })).toMatchObject([
        { pointer: `/${field}`, code: 'misplaced_field' },
      ]);
    },
  );
});

describe('an instance that is no instance', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['a text', 'alpha'],
    ['a list', ['alpha']],
    ['a function', () => undefined],
    ['an object that cannot be read', unreadable],
    [
      'an object with a getter that throws',
      {
        get id() {
          return broken();
        },
      },
    ],
  ])('%s is refused, and so it is as an inline entry', (_name, value) => {
    const issue = { index: 1, id: '', pointer: '', code: 'type' };
    expect(issuesOf(value)).toEqual([
      { ...issue, source: 'collection', name: '', message: 'must be an object that can be read' },
    ]);
    const inline = [{ name: 'alpha' }, value as InlinePlugin];
    expect(createRuntime({ plugins }).buildChain({ gateway, inline })).toMatchObject({
      ok: false,
      issues: [{ ...issue, source: 'inline' }],
    });
  });

  it('is told of by the checks of one record too', () => {
    const byName = pluginsByName(plugins);
    expect([checkInstance(byName, null as never), checkInline(byName, 7 as never)]).toMatchObject([
      [{ code: 'type' }],
      [{ code: 'type' }],
    ]);
  });

  it('lists that are none are mistakes of the program', () => {
    expect(() => createRuntime({ plugins, instances: {} as never })).toThrow('instances are a list');
    const runtime = createRuntime({ plugins });
    expect(() => runtime.buildChain({ gateway, inline: 'alpha' as never })).toThrow('inline entries are a list');
    expect(() => createRuntime({ plugins: [{ name: 'alpha' } as never] })).toThrow('definePlugin');
  });
});

describe('fields of the wrong kind', () => {
  const cases: [string, Record<string, unknown>, string, string][] = [
    ['no ID', { id: undefined }, '/id', 'required'],
    ['an ID that is a number', { id: 7 }, '/id', 'type'],
    ['an empty ID', { id: '' }, '/id', 'type'],
    ['the ID of another', { id: 'good' }, '/id', 'duplicate_id'],
    ['a name that is no text', { name: {} }, '/name', 'unknown_plugin'],
    ['the word false', { enabled: 'false' }, '/enabled', 'type'],
    ['labels in a list', { labels: ['a'] }, '/labels', 'type'],
    ['a tenant that is a number', { tenant_id: 1 }, '/tenant_id', 'type'],
    ['a trigger that is no text', { trigger: { toString: broken } }, '/trigger', 'unknown_trigger'],
    ['a scope that is no text', { scope: Symbol('tenant') }, '/scope', 'unknown_scope'],
    ['a policy that is a number', { execution: 5 }, '/execution', 'type'],
    ['a policy that is a list', { execution: [] }, '/execution', 'type'],
    ['time-outs that are null', { execution: { hook_timeouts_ms: null } }, '/execution/hook_timeouts_ms', 'type'],
    [
      'a failure_mode in a list',
      { execution: { failure_mode: ['strict'] } },
      '/execution/failure_mode',
      'unknown_value',
    ],
    ...[
      'gateway_id',
      'workspace_id',
      'service_id',
      'service_name',
      'route_id',
      'route_name',
      'consumer_id',
      'consumer_group',
    ].flatMap((field): [string, Record<string, unknown>, string, string][] => [
      [`a number for ${field}`, { [field]: 7 }, `/${field}`, 'type'],
      [`null for ${field}`, { [field]: null }, `/${field}`, 'type'],
      [`no text in ${field}`, { [field]: '' }, `/${field}`, 'type'],
    ]),
    ...['priority', 'timeout_ms', 'failure_threshold', 'recovery_timeout_ms', 'max_concurrency'].flatMap((field) =>
      [Number.NaN, Number.POSITIVE_INFINITY, 50.5, '50', null, {}].map(
        (value): [string, Record<string, unknown>, string, string] => [
          `${field} ${typeof value} ${JSON.stringify(value)}`,
          field === 'priority' ? { priority: value } : { execution: { [field]: value } },
          field === 'priority' ? '/priority' : `/execution/${field}`,
          'out_of_range',
        ],
      ),
    ),
  ];
  it.each(cases)('%s', (_name, fields, pointer, code) => {
    expect(issuesOf({ id: 'bad', name: 'alpha', ...fields })).toMatchObject([{ index: 1, pointer, code }]);
  });

  it('do not matter in what is not enabled: it is not loaded', () => {
    const disabled = { id: 7, name: null, enabled: false, priority: 'high', execution: 'none' };
    const runtime = createRuntime({ plugins, instances: [disabled as never, { id: 'a', name: 'alpha' }] });
    const exchange = exchangeOf();
    void runtime.chainFor({ gateway, inline: [disabled as never] }).runRequest(exchange);
    expect([tracedIn('request', exchange), runtime.status().length]).toEqual([['a'], 1]);
  });

  it('cannot come into a record later: it was read once', () => {
    const instance = { id: 'a', name: 'alpha', scope: 'route', route_id: 'r1', priority: 1 } as const;
    const list: PluginInstance[] = [instance];
    const runtime = createRuntime({ plugins, instances: list });
    Object.assign(instance, { route_id: 'r2', trigger: 'on_error' });
    list.length = 0;
    const exchange = exchangeOf();
    void runtime.chainFor({ gateway, route: { id: 'r1', name: 'r' } }).runRequest(exchange);
    expect(tracedIn('request', exchange)).toEqual(['a']);
    expect(runtime.explain({ gateway }).map(({ id }) => id)).toEqual(['a']);
  });
});

describe('a plugin that cannot be set up', () => {
  const garbage: [string, () => unknown][] = [
    ['throws', broken],
    [
      'throws nothing',
      () => {
        throw undefined;
      },
    ],
    ['returns nothing', () => undefined],
    ['returns null', () => null],
    ['returns a number', () => 7],
    ['returns a function', () => () => undefined],
    ['returns a promise', () => Promise.resolve({ request: () => undefined })],
    ['returns a promise that rejects', () => Promise.reject(new Error('late'))],
    ['returns what cannot be read', () => unreadable],
    ['returns a hook that is no function', () => ({ request: 'next' })],
    ['returns a dispose that is none', () => ({ dispose: {} })],
  ];
  it.each(garbage)('because setup %s is a mistake of that instance', (_name, setup) => {
    const bad = pluginOf('bad', setup as never);
    const issues = issuesOf({ id: 'i', name: 'bad' }, [alpha, bad]);
    expect(issues).toMatchObject([{ index: 1, id: 'i', name: 'bad', code: 'setup_failed' }]);
    expect(JSON.stringify(issues)).not.toContain('hunter2');
    const inline = [{ name: 'bad' }];
    expect(() => createRuntime({ plugins: [bad] }).chainFor({ gateway, inline })).toThrow(PluginConfigurationError);
  });

  it.each<[string, (value: unknown) => unknown]>([
    ['throws', broken],
    ['is asynchronous', () => Promise.reject(new Error('late'))],
    ['gives garbage', () => 7],
  ])('because its schema %s is a mistake of that instance', (_name, validate) => {
    const config = { '~standard': { version: 1, vendor: 'test', validate } } as unknown as StandardSchemaV1<
      unknown,
      object
    >;
    const bad = definePlugin({
      name: 'bad',
      version: '1.0.0',
      category: 'traffic',
      triggers: ['both'],
      config,
      setup: () => ({}),
    });
    expect(issuesOf({ id: 'i', name: 'bad' }, [alpha, bad])).toMatchObject([
      { pointer: '/config', code: 'schema_failed' },
    ]);
  });

  it('because it was made without definePlugin and its check throws, too', () => {
    const bad: Plugin = { name: 'bad', version: '1.0.0', category: 'traffic', triggers: ['both'], compile: broken };
    expect(issuesOf({ id: 'i', name: 'bad' }, [alpha, bad])).toMatchObject([
      { pointer: '/config', code: 'schema_failed' },
    ]);
  });

  it('does not fail those that have hooks in a class, which keep their object', () => {
    class Counter {
      #count = 0;
      request() {
        this.#count += 1;
        return { query: `n=${this.#count}` };
      }
    }
    const plugin = pluginOf('classy', () => new Counter());
    const chain = createRuntime({ plugins: [plugin], instances: [{ id: 'a', name: 'classy' }] }).chainFor({ gateway });
    const exchange = exchangeOf();
    expect([chain.runRequest(exchange), chain.runRequest(exchange), exchange.request.query]).toEqual([
      'continue',
      'continue',
      'n=2',
    ]);
  });
});

describe('a runtime that was disposed', () => {
  it('gives no chains any more, with a typed error', () => {
    const runtime = createRuntime({ plugins, instances: [{ id: 'a', name: 'alpha' }] });
    runtime.dispose();
    expect(() => runtime.chainFor({ gateway })).toThrow(PluginRuntimeError);
    expect(() => runtime.buildChain({ gateway })).toThrow(expect.objectContaining({ code: 'runtime_disposed' }));
  });

  it('has no unhandled rejection from a late dispose, and says when all is over', async () => {
    const gate = Promise.withResolvers<undefined>();
    const logged: string[] = [];
    const late = pluginOf('late', () => ({
      dispose: async () => {
        await gate.promise;
        throw new Error('late');
      },
    }));
    const rude = pluginOf('rude', () => ({ dispose: broken }));
    const runtime = createRuntime({
      plugins: [late, rude],
      instances: [
        { id: 'a', name: 'late' },
        { id: 'b', name: 'rude' },
      ],
      log: { warn: () => undefined, error: (_message, details) => logged.push(String(details?.['plugin'])) },
    });
    runtime.dispose();
    let isSettled = false;
    const settled = runtime.settled().then(() => (isSettled = true));
    await Promise.resolve();
    expect([isSettled, logged]).toEqual([false, ['rude']]);
    gate.resolve(undefined);
    await settled;
    expect(logged).toEqual(['rude', 'late']);
  });

  it('is waited for by the runtime that took its place: a process that ends knows the last one only', async () => {
    const gate = Promise.withResolvers<undefined>();
    const plugins = [pluginOf('late', () => ({ dispose: () => gate.promise }))];
    const replaced = createRuntime({ plugins, instances: [{ id: 'a', name: 'late' }] });
    const next = createRuntime({ plugins, previous: replaced });
    const last = createRuntime({ plugins, previous: next });
    next.dispose();
    last.dispose();
    // Its last request ended after all the others.
    replaced.dispose();
    let isSettled = false;
    const settled = last.settled().then(() => (isSettled = true));
    await new Promise(setImmediate);
    expect(isSettled).toBe(false);
    gate.resolve(undefined);
    await settled;
  });
});
