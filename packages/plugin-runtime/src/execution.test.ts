import { describe, expect, it } from 'vitest';
import {
  createRuntime,
  type Exchange,
  type ExecutionPolicy,
  type HookFault,
  type PluginCategory,
  type StageResult,
} from './index.ts';
import { benchOf, type RequestHook } from './testing/execution-bench.ts';
import { exchangeOf, gateway, pluginOf, withThen } from './testing/fixtures.ts';

const never = (): Promise<undefined> => new Promise(() => undefined);
const throwUnreadable = (): never => {
  throw Object.defineProperty(new Error('x'), 'message', { get: broken });
};
const broken = (): never => {
  throw new Error('broken');
};

describe('sync hooks', () => {
  it('answer without a promise and without a timer', () => {
    const { run, clock } = benchOf(() => ({ headers: [{ op: 'set', name: 'a', value: '1' }] }));
    expect([run(), clock.pendingTimers]).toEqual(['continue', 0]);
  });

  it('stay sync beside an asynchronous one that comes later in the chain', () => {
    const order: string[] = [];
    const plugins = [
      pluginOf('first', () => ({ request: () => void order.push('first') })),
      pluginOf('second', () => ({ request: () => Promise.resolve().then(() => void order.push('second')) })),
    ];
    const instances = plugins.map(({ name }) => ({ id: name, name }));
    const result = createRuntime({ plugins, instances }).chainFor({ gateway }).runRequest(exchangeOf());
    expect(order).toEqual(['first']);
    return expect(result).resolves.toBe('continue');
  });
});

describe('a hook that fails', () => {
  const closed: PluginCategory[] = [
    'authentication',
    'access_control',
    'rate_limit',
    'request_protection',
    'contract',
    'enforcement',
  ];
  const open: PluginCategory[] = ['traffic', 'transformation', 'observability', 'ai'];
  it.each<[PluginCategory, ExecutionPolicy['failure_mode'], StageResult]>([
    ...closed.flatMap((category) =>
      (['inherit', 'fail_open', 'strict'] as const).map((mode): [PluginCategory, typeof mode, StageResult] => [
        category,
        mode,
        'failed',
      ]),
    ),
    ...open.flatMap((category) =>
      (['inherit', 'fail_open'] as const).map((mode): [PluginCategory, typeof mode, StageResult] => [
        category,
        mode,
        'continue',
      ]),
    ),
    ...open.map((category): [PluginCategory, 'strict', StageResult] => [category, 'strict', 'failed']),
  ])('of category %s with failure_mode %s makes the stage %s', (category, failure_mode, result) => {
    expect(benchOf(broken, { failure_mode: failure_mode ?? 'inherit' }, category).run()).toBe(result);
  });

  it.each([
    [undefined, 'failed'],
    ['inherit', 'failed'],
    ['strict', 'failed'],
    ['fail_open', 'continue'],
  ] as const)('of an instance that says it fails closed, with failure_mode %s, makes the stage %s', (mode, result) => {
    const plugin = pluginOf('subject', () => ({ request: broken, failsClosed: true }), { category: 'observability' });
    const execution = mode === undefined ? {} : { failure_mode: mode };
    const runtime = createRuntime({ plugins: [plugin], instances: [{ id: 'i', name: 'subject', execution }] });
    expect(runtime.chainFor({ gateway }).runRequest(exchangeOf())).toBe(result);
  });

  it('says plugin_failed and which plugin, without what was thrown', () => {
    const { chain } = benchOf(() => {
      throw new Error('password is hunter2');
    });
    const exchange = exchangeOf();
    void chain.runRequest(exchange);
    expect(exchange.failure).toEqual({
      code: 'plugin_failed',
      message: 'plugin subject did not do its work',
      plugin: 'subject',
    });
  });

  it.each<[string, RequestHook, HookFault]>([
    ['throws', broken, 'threw'],
    [
      'throws no error',
      () => {
        throw 'text';
      },
      'threw',
    ],
    ['rejects', () => Promise.reject(new Error('late')), 'threw'],
    ['rejects with nothing', () => Promise.reject(undefined), 'threw'],
    ['returns a promise whose then throws', () => withThen({ value: broken }), 'threw'],
    ['returns an object whose then cannot be read', () => withThen({ get: broken }), 'threw'],
    ['throws an error that cannot be read', throwUnreadable, 'threw'],
    ['returns a number', () => 7 as never, 'bad_result'],
    ['returns null', () => null as never, 'bad_result'],
    ['returns a list', () => [] as never, 'bad_result'],
    ['resolves with a text', () => Promise.resolve('ok' as never), 'bad_result'],
    ['gives a status that is none', () => ({ status: 42 }), 'bad_result'],
    ['gives a status that ends nothing', () => ({ status: 100 }), 'bad_result'],
    ['gives a body that is neither text nor bytes', () => ({ status: 200, body: {} as never }), 'bad_result'],
    ['gives an odd list of headers', () => ({ status: 200, headers: ['a'] }), 'bad_result'],
    ['gives a header with a line break', () => ({ status: 200, headers: ['a', 'b\nc: d'] }), 'bad_result'],
    ['edits a header with a line break', () => ({ headers: [{ op: 'set', name: 'a', value: '\r\n' }] }), 'bad_result'],
    ['edits headers with something else', () => ({ headers: 'a: b' as never }), 'bad_result'],
    ['edits the path to nonsense', () => ({ path: 'no-slash' }), 'bad_result'],
    ['splits the request line with a path', () => ({ path: '/ HTTP/1.1\r\nx: y' }), 'bad_result'],
    ['splits the request line with a query', () => ({ query: 'a b' }), 'bad_result'],
    ['names a consumer that is none', () => ({ consumer: { name: 'x' } as never }), 'bad_result'],
    ['returns a web response where the host takes none', () => new Response('x'), 'bad_result'],
    ['assigns to the request', ({ request }) => void ((request as { path: string }).path = '/x'), 'threw'],
    [
      'calls a setter that the view does not have',
      ({ request }) => (request.headers as never as Headers).set('a', 'b'),
      'threw',
    ],
    [
      'reads a response that is not there yet',
      (exchange) => void (exchange as never as { response: object }).response,
      'threw',
    ],
  ])('is isolated when it %s', async (_name, hook, fault) => {
    const bench = benchOf(hook);
    const exchange = exchangeOf({ headers: ['host', 'h'] });
    expect(await bench.chain.runRequest(exchange)).toBe('failed');
    expect(bench.faults).toEqual([fault]);
    expect([
      exchange.request.path,
      exchange.request.query,
      exchange.request.headers.toPairs(),
      exchange.hasResponse,
    ]).toEqual(['/', '', ['host', 'h'], false]);
  });

  it('logs what was thrown once, cut to a line, with the request it was for', () => {
    const { run, logged } = benchOf(() => {
      throw new Error('x'.repeat(5000));
    });
    void run();
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain('"request_id":"r1"');
    expect(logged[0]?.length).toBeLessThan(500);
  });

  it('says in every line of a plugin which instance wrote it', () => {
    const lines: unknown[] = [];
    const write = (...line: readonly unknown[]): void => void lines.push(line);
    const plugin = pluginOf('subject', (_config, { log }) => {
      log.warn('a word', { host: 'h', instance: 'another' });
      log.error('another');
      return {};
    });
    const instances = [{ id: 'i', name: 'subject' }];
    createRuntime({ plugins: [plugin], instances, log: { warn: write, error: write } }).chainFor({ gateway });
    const origin = { plugin: 'subject', instance: 'i' };
    expect(lines).toEqual([
      ['a word', { host: 'h', ...origin }],
      ['another', origin],
    ]);
  });

  it('changes nothing in the error stage, where the request has failed already', () => {
    const plugin = pluginOf('subject', () => ({ error: broken }), { category: 'authentication' });
    const chain = createRuntime({
      plugins: [plugin],
      instances: [{ id: 'i', name: 'subject', trigger: 'on_error' }],
    }).chainFor({ gateway });
    const exchange = exchangeOf();
    exchange.fail({ code: 'upstream_timeout', message: 'x' }, { status: 504, headers: [] });
    expect([chain.runError(exchange), exchange.failure.code]).toEqual(['continue', 'upstream_timeout']);
  });
});

describe('a time-out', () => {
  it('ends the wait at timeout_ms, fires the signal, and leaves no timer behind', async () => {
    let signal: AbortSignal | undefined;
    const bench = benchOf(
      (exchange) => {
        signal = exchange.signal();
        return never();
      },
      { timeout_ms: 50 },
    );
    const result = bench.run();
    bench.clock.advance(49);
    expect([signal?.aborted, bench.clock.pendingTimers]).toEqual([false, 1]);
    bench.clock.advance(1);
    expect(await result).toBe('failed');
    expect([signal?.aborted, bench.clock.pendingTimers, bench.faults]).toEqual([true, 0, ['timed_out']]);
  });

  it('is the hook’s own where hook_timeouts_ms names it, and 5 s by default', async () => {
    const own = benchOf(never, { timeout_ms: 50, hook_timeouts_ms: { request: 20 } });
    const ran = own.run();
    own.clock.advance(20);
    expect(await ran).toBe('failed');
    const standard = benchOf(never);
    void standard.run();
    standard.clock.advance(4999);
    expect(standard.faults).toEqual([]);
    standard.clock.advance(1);
    expect(standard.faults).toEqual(['timed_out']);
  });

  it.each<[string, (late: { resolve: (value: object) => void; reject: (error: Error) => void }) => void]>([
    [
      'edits',
      ({ resolve }) =>
        resolve({ headers: [{ op: 'set', name: 'late', value: '1' }], consumer: { id: 'c', groups: [] } }),
    ],
    ['response', ({ resolve }) => resolve({ status: 200 })],
    ['error', ({ reject }) => reject(new Error('late'))],
  ])('makes a late %s change nothing', async (_name, settle) => {
    const late = Promise.withResolvers<object>();
    const bench = benchOf(() => late.promise, { timeout_ms: 10 }, 'traffic');
    const exchange = exchangeOf();
    const result = bench.chain.runRequest(exchange);
    bench.clock.advance(10);
    expect(await result).toBe('continue');
    settle(late);
    await late.promise.catch(() => undefined);
    expect([exchange.request.headers.toPairs(), exchange.consumer, exchange.hasResponse, bench.faults]).toEqual([
      [],
      undefined,
      false,
      ['timed_out'],
    ]);
  });

  it('clears the timer of a hook that is in time', async () => {
    const bench = benchOf(() => Promise.resolve());
    expect(await bench.run()).toBe('continue');
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('gives each hook a signal of its own; one that is taken too late is aborted already', async () => {
    const signals: AbortSignal[] = [];
    let kept: Exchange | undefined;
    const hook: RequestHook = (exchange) => {
      kept = exchange;
      signals.push(exchange.signal());
      return undefined;
    };
    const plugin = pluginOf('subject', () => ({ request: hook }));
    const instances = ['a', 'b'].map((id) => ({ id, name: 'subject' }));
    await createRuntime({ plugins: [plugin], instances })
      .chainFor({ gateway })
      .runRequest(exchangeOf());
    expect(signals[0]).not.toBe(signals[1]);
    expect([signals[0]?.aborted, kept?.signal().aborted]).toEqual([false, true]);
  });
});

describe('a client that leaves', () => {
  it('fires the signal of the hook that waits, and its giving up is no failure of the plugin', async () => {
    const bench = benchOf(
      (exchange) => {
        const signal = exchange.signal();
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))));
      },
      { failure_threshold: 1 },
    );
    const exchange = exchangeOf();
    const result = bench.chain.runRequest(exchange);
    exchange.abort();
    expect([await result, bench.faults, bench.circuit, bench.logged]).toEqual(['failed', ['given_up'], [], []]);
  });
});
