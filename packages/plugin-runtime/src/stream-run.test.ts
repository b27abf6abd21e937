import { describe, expect, it } from 'vitest';
import {
  createRuntime,
  type ExecutionPolicy,
  type HookFault,
  type InlinePlugin,
  type PluginCategory,
  type PluginHooks,
  type PluginInstance,
  type StreamChunk,
  type StreamOutcome,
} from './index.ts';
import { exchangeOf, gateway, handClock, identify, pluginOf, withThen } from './testing/fixtures.ts';
import { PLACE_WAIT_MS } from './place-wait.ts';

type StreamHook = NonNullable<PluginHooks['stream']>;

const route = { id: 'r1', name: 'orders' };
const bytesOf = (text: string) => new TextEncoder().encode(text);
const chunkOf = (text: string, index = 0, last = false): StreamChunk => ({ bytes: bytesOf(text), index, last });
const textOf = (outcome: StreamOutcome) => (typeof outcome === 'string' ? outcome : new TextDecoder().decode(outcome));
const never = () => new Promise<undefined>(() => undefined);
const broken = (): never => {
  throw new Error('broken');
};

/** An exchange whose response is there. */
function streaming(recordSteps = false) {
  const exchange = exchangeOf({}, { recordSteps });
  exchange.setResponse({ status: 200, headers: ['x-kind', 'text'], source: 'upstream' });
  return exchange;
}

function benchOf(hook: StreamHook, execution: ExecutionPolicy = {}, category: PluginCategory = 'enforcement') {
  const { clock, timers } = handClock();
  const faults: HookFault[] = [];
  const plugin = pluginOf('subject', () => ({ stream: hook }), { category, triggers: ['stream'] });
  const instances = [{ id: 'i', name: 'subject', execution }];
  const events = { onHookFault: (_instance: object, _stage: string, fault: HookFault) => void faults.push(fault) };
  const runtime = createRuntime({ plugins: [plugin], instances, clock, timers, events });
  const chain = runtime.chainFor({ gateway });
  return { chain, clock, faults, runtime, run: (text = 'abc') => chain.runStream(streaming(), chunkOf(text)) };
}

/** Hooks that put a letter behind what they see. */
const marker = pluginOf(
  'marker',
  (config) => ({ stream: (_exchange, { bytes }) => ({ bytes: bytesOf(textOf(bytes) + String(config['mark'])) }) }),
  { triggers: ['stream'] },
);
const marking = (id: string, more: Partial<PluginInstance> = {}): PluginInstance => ({
  id,
  name: 'marker',
  config: { mark: id },
  ...more,
});

describe('stream hooks', () => {
  it('see the response, and each sees what the one before gave, without a promise', () => {
    const seen: unknown[] = [];
    const watcher = pluginOf(
      'watcher',
      () => ({
        stream: ({ response }, { bytes, index, last }) =>
          void seen.push(response.status, response.headers.get('x-kind'), textOf(bytes), index, last),
      }),
      { triggers: ['stream'] },
    );
    const instances = [marking('a', { priority: 2 }), marking('b', { priority: 1 }), { id: 'w', name: 'watcher' }];
    const chain = createRuntime({ plugins: [marker, watcher], instances }).chainFor({ gateway });
    const outcome = chain.runStream(streaming(), chunkOf('-', 7, true));
    expect([outcome instanceof Uint8Array && textOf(outcome), chain.hasStreamHooks]).toEqual(['-ab', true]);
    expect(seen).toEqual([200, 'text', '-ab', 7, true]);
  });

  it('run inline first, whatever the priorities, and each part in its order', async () => {
    const inline: InlinePlugin[] = [
      { name: 'marker', stage: 'stream', config: { mark: 'x' } },
      { name: 'marker', trigger: 'all', priority: 1, config: { mark: 'y' } },
    ];
    const runtime = createRuntime({
      plugins: [marker],
      instances: [marking('c', { priority: -9 }), marking('b', { priority: 9 })],
    });
    const chain = runtime.chainFor({ gateway, route, inline });
    expect(textOf(await chain.runStream(streaming(), chunkOf('')))).toBe('yxbc');
  });

  it('pass on the very bytes that nobody changed, and make nothing else of an empty result than empty bytes', () => {
    const chunk = chunkOf('abc');
    expect(benchOf(() => undefined).chain.runStream(streaming(), chunk)).toBe(chunk.bytes);
    expect(benchOf(() => ({ bytes: new Uint8Array(0) })).run()).toEqual(new Uint8Array(0));
  });

  it('are told of dropped chunks too, so that the last one reaches all of them', async () => {
    const drop = pluginOf('drop', () => ({ stream: () => ({ bytes: new Uint8Array(0) }) }), { triggers: ['stream'] });
    const instances = [{ id: 'd', name: 'drop', priority: 1 }, marking('z')];
    const chain = createRuntime({ plugins: [drop, marker], instances }).chainFor({ gateway });
    expect(textOf(await chain.runStream(streaming(), chunkOf('abc', 1, true)))).toBe('z');
  });

  it('wait for one another when one waits, and those after it get what it gave', async () => {
    const gate = Promise.withResolvers<undefined>();
    const slow = pluginOf(
      'slow',
      () => ({ stream: async (_exchange, { bytes }) => (await gate.promise, { bytes: bytesOf(`${textOf(bytes)}s`) }) }),
      { triggers: ['stream'] },
    );
    const instances = [marking('a', { priority: 2 }), { id: 's', name: 'slow', priority: 1 }, marking('b')];
    const chain = createRuntime({ plugins: [marker, slow], instances }).chainFor({ gateway });
    const outcome = chain.runStream(streaming(), chunkOf('-'));
    expect(outcome).toBeInstanceOf(Promise);
    gate.resolve(undefined);
    expect(textOf(await outcome)).toBe('-asb');
  });

  it('for consumers run when the request stage found one', async () => {
    const guarded = marking('g', { scope: 'consumer', consumer_id: 'c1' });
    const plugins = [marker, identify({ id: 'c1', groups: [] })];
    const chain = createRuntime({ plugins, instances: [{ id: '!', name: 'identify' }, guarded] }).chainFor({ gateway });
    const known = streaming();
    await chain.runRequest(known);
    expect(textOf(await chain.runStream(streaming(), chunkOf('-')))).toBe('-');
    expect(textOf(await chain.runStream(known, chunkOf('-')))).toBe('-g');
  });

  it('end the response with the reason they give, which is no failure of the plugin', () => {
    const bench = benchOf(() => ({ cut: 'x'.repeat(500) }), { failure_threshold: 1 });
    const exchange = streaming();
    expect(bench.chain.runStream(exchange, chunkOf('abc'))).toBe('failed');
    expect(exchange.failure).toEqual({ code: 'plugin_cut', message: 'x'.repeat(200), plugin: 'subject' });
    expect([bench.faults, bench.runtime.status()[0]?.circuit]).toEqual([[], 'closed']);
  });

  it('share the state and the signal rules of the other stages', () => {
    const signals: boolean[] = [];
    const bench = benchOf((exchange) => {
      signals.push(exchange.signal().aborted);
      exchange.state.set('subject.bytes', 1);
    });
    const exchange = streaming();
    void bench.chain.runStream(exchange, chunkOf('a'));
    expect([signals, exchange.state.get('subject.bytes'), exchange.signal().aborted]).toEqual([[false], 1, true]);
  });

  it('leave one step per hook in the record, however many chunks pass', async () => {
    const { clock, timers } = handClock();
    let calls = 0;
    const plugin = pluginOf(
      'subject',
      () => ({ stream: () => (clock.advance(2), (calls += 1) === 2 ? broken() : undefined) }),
      { triggers: ['stream'] },
    );
    const instances = ['a', 'b'].map((id) => ({ id, name: 'subject' }));
    const chain = createRuntime({ plugins: [plugin], instances, clock, timers }).chainFor({ gateway });
    const exchange = streaming(true);
    for (let index = 0; index < 50; index += 1) await chain.runStream(exchange, chunkOf('a', index));
    expect(exchange.steps).toEqual([
      expect.objectContaining({ name: 'subject', stage: 'stream', outcome: 'continue', duration_us: 100_000 }),
      expect.objectContaining({ name: 'subject', stage: 'stream', outcome: 'skipped', duration_us: 100_000 }),
    ]);
  });
});

describe('a stream hook that fails', () => {
  it.each<[string, StreamHook, HookFault]>([
    ['throws', broken, 'threw'],
    ['rejects with nothing', () => Promise.reject(undefined), 'threw'],
    ['has a then that throws', () => withThen({ value: broken }), 'threw'],
    ['returns a text', () => 'abc' as never, 'bad_result'],
    ['returns bytes without an object', () => bytesOf('abc') as never, 'bad_result'],
    ['returns bytes that are none', () => ({ bytes: 'abc' as never }), 'bad_result'],
    ['gives no reason for a cut', () => ({ cut: 7 as never }), 'bad_result'],
    ['returns a response', () => ({ status: 200 }) as never, 'bad_result'],
    ['assigns to the chunk', (_exchange, chunk) => void ((chunk as { bytes: unknown }).bytes = 0), 'threw'],
  ])(
    'because it %s cuts the response when it is fail-closed, else the chunk passes unchanged',
    async (_n, hook, why) => {
      const closed = benchOf(hook);
      const exchange = streaming();
      expect(await closed.chain.runStream(exchange, chunkOf('abc'))).toBe('failed');
      expect([exchange.failure.code, closed.faults]).toEqual(['plugin_failed', [why]]);
      const open = benchOf(hook, {}, 'transformation');
      expect([textOf(await open.run()), open.faults]).toEqual(['abc', [why]]);
    },
  );

  it('is given up at its own time-out, and what it says later has no effect', async () => {
    const late = Promise.withResolvers<{ bytes: Uint8Array }>();
    let signal: AbortSignal | undefined;
    const bench = benchOf(
      (exchange) => ((signal = exchange.signal()), late.promise),
      { hook_timeouts_ms: { stream: 20 } },
      'transformation',
    );
    const outcome = bench.run('abc');
    bench.clock.advance(20);
    late.resolve({ bytes: bytesOf('late') });
    expect([textOf(await outcome), signal?.aborted, bench.faults]).toEqual(['abc', true, ['timed_out']]);
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('opens the circuit of its instance, which then is left out', async () => {
    let calls = 0;
    const bench = benchOf(() => ((calls += 1), broken()), { failure_threshold: 2 }, 'transformation');
    for (let index = 0; index < 5; index += 1) await bench.run();
    expect([calls, bench.runtime.status()[0]?.circuit]).toEqual([2, 'open']);
  });

  it('is left out beyond max_concurrency', async () => {
    const bench = benchOf(never, { max_concurrency: 1 }, 'transformation');
    void bench.run();
    const second = bench.run('second');
    bench.clock.advance(PLACE_WAIT_MS);
    expect([textOf(await second), bench.faults]).toEqual(['second', ['at_capacity']]);
  });

  it('because the client left did not fail', async () => {
    const bench = benchOf(
      (exchange) => {
        const signal = exchange.signal();
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))));
      },
      { failure_threshold: 1 },
    );
    const exchange = streaming();
    const outcome = bench.chain.runStream(exchange, chunkOf('a'));
    exchange.abort();
    expect([await outcome, bench.faults, bench.runtime.status()[0]?.circuit]).toEqual([
      'failed',
      ['given_up'],
      'closed',
    ]);
  });
});
