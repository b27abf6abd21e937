import { describe, expect, it } from 'vitest';
import {
  createRuntime,
  type Exchange,
  type ExecutionPolicy,
  type HookFault,
  type PluginHooks,
  type RuntimeEvents,
} from './index.ts';
import { exchangeOf, gateway, handClock, pluginOf, withThen } from './testing/fixtures.ts';
import { PLACE_WAIT_MS } from './place-wait.ts';

type RequestHook = NonNullable<PluginHooks['request']>;

const broken = (): never => {
  throw new Error('broken');
};
const traps = { get: broken, has: broken, ownKeys: broken, getPrototypeOf: broken };
const throwing =
  (what: unknown): RequestHook =>
  () => {
    throw what;
  };

function benchOf(hook: RequestHook, execution: ExecutionPolicy = {}, events: RuntimeEvents = {}) {
  const { clock, timers } = handClock();
  const faults: HookFault[] = [];
  const plugins = [
    pluginOf('subject', () => ({ request: hook }), { category: 'traffic' }),
    pluginOf('after', () => ({ request: () => ({ headers: [{ op: 'append', name: 'after', value: '1' }] }) })),
  ];
  const instances = [
    { id: 'i', name: 'subject', priority: 1, execution },
    { id: 'j', name: 'after' },
  ];
  const noting: RuntimeEvents = { onHookFault: (_instance, _stage, fault) => void faults.push(fault), ...events };
  const chain = createRuntime({ plugins, instances, clock, timers, events: noting }).chainFor({ gateway });
  return { chain, clock, faults };
}

describe('a hook that does what no hook should', () => {
  it.each<[string, RequestHook, HookFault]>([
    ['throws undefined', throwing(undefined), 'threw'],
    ['throws null', throwing(null), 'threw'],
    ['throws a symbol', throwing(Symbol('x')), 'threw'],
    ['throws a frozen error', throwing(Object.freeze(new Error('x'))), 'threw'],
    [
      'throws an error whose name cannot be read',
      throwing(Object.defineProperty(new Error('x'), 'name', { get: broken })),
      'threw',
    ],
    [
      'throws an error whose message is no text',
      throwing(Object.assign(new Error('x'), { message: Symbol('x') })),
      'threw',
    ],
    ['throws what nothing can be asked of', throwing(new Proxy({}, traps)), 'threw'],
    ['rejects with what nothing can be asked of', () => Promise.reject(new Proxy({}, traps)), 'threw'],
    ['returns what nothing can be asked of', () => new Proxy({}, traps), 'threw'],
    [
      'returns a revoked proxy',
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      },
      'threw',
    ],
    ['returns edits that cannot be read', () => new Proxy({}, { ...traps, has: () => false }), 'bad_result'],
    ['returns a function', () => (() => undefined) as never, 'bad_result'],
    ['returns false', () => false as never, 'bad_result'],
    ['returns a symbol', () => Symbol('x') as never, 'bad_result'],
    ['returns a large number', () => 1n as never, 'bad_result'],
    ['resolves with a function', () => Promise.resolve((() => undefined) as never), 'bad_result'],
    ['gives a getter that throws as its path', () => Object.defineProperty({}, 'path', { get: broken }), 'bad_result'],
    ['gives a status whose getter throws', () => Object.defineProperty({}, 'status', { get: broken }), 'bad_result'],
    ['gives headers that are full of holes', () => ({ headers: [undefined as never] }), 'bad_result'],
    ['gives a body of another kind', () => ({ body: new ArrayBuffer(1) as never }), 'bad_result'],
    [
      'replaces a method of what it was given',
      (exchange) => void ((exchange as { request: unknown }).request = {}),
      'threw',
    ],
    [
      'calls what only the runtime calls',
      (exchange) => (exchange as unknown as { beginHooks(): void }).beginHooks(),
      'threw',
    ],
  ])('is isolated when it %s: the others run, and the circuit counts it', async (_name, hook, fault) => {
    const bench = benchOf(hook, { failure_threshold: 1 });
    const exchange = exchangeOf();
    expect(await bench.chain.runRequest(exchange)).toBe('continue');
    expect([bench.faults, exchange.request.headers.get('after')]).toEqual([[fault], '1']);
    await bench.chain.runRequest(exchangeOf());
    expect(bench.faults).toEqual([fault, 'circuit_open']);
  });

  it.each<[string, (resolve: (value: unknown) => void, reject: (error: unknown) => void) => void, string | undefined]>([
    ['at once, many times', (resolve) => ['/a', '/b', '/c'].forEach((path) => resolve({ path })), '/a'],
    ['at once, then throws', (resolve) => (resolve({ path: '/a' }), broken()), '/a'],
    ['with a value, then an error', (resolve, reject) => (resolve({ path: '/a' }), reject(new Error('x'))), '/a'],
    ['with an error, then a value', (resolve, reject) => (reject(new Error('x')), resolve({ path: '/a' })), undefined],
    [
      'with another one of its kind',
      (resolve) => resolve(withThen({ value: (next: typeof resolve) => next({ path: '/b' }) })),
      '/b',
    ],
    ['with a promise', (resolve) => resolve(Promise.resolve({ path: '/p' })), '/p'],
  ])('is taken at its first word when its thenable calls back %s', async (_name, then, path) => {
    const bench = benchOf(() => withThen({ value: then }));
    const exchange = exchangeOf();
    expect(await bench.chain.runRequest(exchange)).toBe('continue');
    expect([exchange.request.path, bench.faults]).toEqual([path ?? '/', path === undefined ? ['threw'] : []]);
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('is taken for a promise when it returns a function with then', async () => {
    const then = (resolve: (value: unknown) => void) => resolve({ path: '/f' });
    const later = new Proxy(() => undefined, { has: () => true, get: () => then });
    const exchange = exchangeOf();
    await benchOf(() => later as never).chain.runRequest(exchange);
    expect(exchange.request.path).toBe('/f');
  });

  it('is given up when its thenable never calls back, and what it says after that has no effect', async () => {
    let late: ((value: unknown) => void) | undefined;
    const bench = benchOf(() => withThen({ value: (resolve: (value: unknown) => void) => (late = resolve) }), {
      timeout_ms: 10,
    });
    const exchange = exchangeOf();
    const result = bench.chain.runRequest(exchange);
    await Promise.resolve();
    bench.clock.advance(10);
    expect(await result).toBe('continue');
    for (const path of ['/x', '/y']) late?.({ path });
    await Promise.resolve();
    expect([exchange.request.path, bench.faults]).toEqual(['/', ['timed_out']]);
  });

  it('cannot change later what it returned', async () => {
    const edits = { headers: [{ op: 'set' as const, name: 'a', value: '1' }], consumer: { id: 'c', groups: ['g'] } };
    const exchange = exchangeOf();
    await benchOf(() => edits).chain.runRequest(exchange);
    edits.headers[0] = { op: 'set', name: 'a', value: 'evil' };
    edits.consumer.groups.push('admins');
    expect([exchange.request.headers.get('a'), exchange.consumer?.groups]).toEqual(['1', ['g']]);
  });
});

describe('a hook that runs the chain that it is called by', () => {
  it('fails, and the request goes on', async () => {
    const bench = benchOf((exchange) => void bench.chain.runRequest(exchange as never));
    const exchange = exchangeOf();
    expect(await bench.chain.runRequest(exchange)).toBe('continue');
    expect([bench.faults, exchange.request.headers.getAll('after')]).toEqual([['threw'], ['1']]);
  });

  it('is stopped by the cap when it does so after a wait', async () => {
    let calls = 0;
    const again = async (exchange: Exchange): Promise<undefined> => {
      calls += 1;
      await Promise.resolve();
      await bench.chain.runRequest(exchange as never);
    };
    const bench = benchOf(again, { max_concurrency: 3 });
    const result = bench.chain.runRequest(exchangeOf());
    await new Promise(setImmediate);
    bench.clock.advance(PLACE_WAIT_MS);
    expect(await result).toBe('continue');
    expect([calls, bench.faults]).toEqual([3, ['at_capacity']]);
  });

  it('may run it for another request', async () => {
    const bench = benchOf((exchange) => {
      if (exchange.request.path === '/') void bench.chain.runRequest(exchangeOf({ path: '/other' }));
    });
    expect([await bench.chain.runRequest(exchangeOf()), bench.faults]).toEqual(['continue', []]);
  });
});

describe('whoever watches', () => {
  it('fails alone: listeners and logs that throw change nothing for the request', async () => {
    const hooks = pluginOf('noisy', (_config, { log }) => ({
      request: () => {
        log.warn('hello');
        throw new Error('x');
      },
      dispose: broken,
    }));
    const events: RuntimeEvents = { onHookEnd: broken, onHookFault: broken, onCircuitChange: broken };
    const runtime = createRuntime({
      plugins: [hooks],
      instances: [{ id: 'i', name: 'noisy', execution: { failure_threshold: 1 } }],
      events,
      log: { warn: broken, error: broken },
    });
    expect([runtime.chainFor({ gateway }).runRequest(exchangeOf()), runtime.status()[0]?.circuit]).toEqual([
      'continue',
      'open',
    ]);
    expect(() => runtime.dispose()).not.toThrow();
  });
});

describe('all', () => {
  it('runs in every stage that the plugin has a hook for, and nowhere else', () => {
    const some = pluginOf('some', () => ({ error: () => undefined, stream: () => undefined }), {
      triggers: ['on_error'],
    });
    const chain = createRuntime({ plugins: [some], instances: [{ id: 'a', name: 'some', trigger: 'all' }] }).chainFor({
      gateway,
    });
    const { hasRequestHooks, hasResponseHooks, hasErrorHooks, hasStreamHooks, hasTcpHooks } = chain;
    expect([hasRequestHooks, hasResponseHooks, hasErrorHooks, hasStreamHooks, hasTcpHooks]).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  it('of an inline entry does the same, and stage says one of them', () => {
    const every = pluginOf(
      'every',
      () => ({ request: () => undefined, stream: () => undefined, tcp: () => undefined }),
      { triggers: ['before_request', 'stream', 'tcp'] },
    );
    const runtime = createRuntime({ plugins: [every] });
    const stagesOf = (entry: object) => {
      const chain = runtime.chainFor({ gateway, inline: [{ name: 'every', ...entry }] });
      return [chain.hasRequestHooks, chain.hasStreamHooks, chain.hasTcpHooks];
    };
    expect([
      stagesOf({ trigger: 'all' }),
      stagesOf({ stage: 'stream' }),
      stagesOf({ trigger: 'tcp' }),
      stagesOf({}),
    ]).toEqual([
      [true, true, true],
      [false, true, false],
      [false, false, true],
      [true, false, false],
    ]);
  });
});

describe('what hooks are given', () => {
  type Loose = Record<string, Record<string, unknown>>;
  it.each<[string, (exchange: Loose) => unknown]>([
    ['the request', (exchange) => (exchange['request'] = {})],
    ['the facts', (exchange) => (exchange['facts'] = {})],
    ['the consumer', (exchange) => (exchange['consumer'] = { id: 'admin', groups: [] })],
    ['the directory', (exchange) => (exchange['consumers'] = {})],
    ['the state', (exchange) => (exchange['state'] = {})],
    ['the steps', (exchange) => (exchange['steps'] = {})],
    ['a method', (exchange) => (exchange['signal'] = {})],
    ...['method', 'scheme', 'host', 'path', 'query', 'headers', 'clientIp', 'readBody'].map(
      (field): [string, (exchange: Loose) => unknown] => [
        `request.${field}`,
        (exchange) => ((exchange['request'] ?? {})[field] = 'x'),
      ],
    ),
    ['a method of headers', ({ request }) => Object.assign(request?.['headers'] ?? {}, { get: 'x' })],
    [
      'the groups of a consumer',
      ({ consumer }) => Reflect.apply(Array.prototype.push, consumer?.['groups'], ['admins']),
    ],
  ])('cannot be changed by assigning: %s', async (_name, mutate) => {
    const plugins = [
      pluginOf('auth', () => ({ request: () => ({ consumer: { id: 'c1', groups: ['g'] } }) })),
      pluginOf('rude', () => ({ request: (exchange) => void mutate(exchange as unknown as Loose) })),
    ];
    const faults: HookFault[] = [];
    const chain = createRuntime({
      plugins,
      instances: plugins.map(({ name }) => ({ id: name, name })),
      events: { onHookFault: (_instance, _stage, fault) => void faults.push(fault) },
    }).chainFor({ gateway });
    const exchange = exchangeOf();
    expect(await chain.runRequest(exchange)).toBe('continue');
    expect(faults).toEqual(['threw']);
    const { request, facts, consumer } = exchange;
    expect([request.method, request.host, request.clientIp, facts.requestId, consumer?.id, consumer?.groups]).toEqual([
      'GET',
      'api.test',
      '192.0.2.1',
      'r1',
      'c1',
      ['g'],
    ]);
  });
});
