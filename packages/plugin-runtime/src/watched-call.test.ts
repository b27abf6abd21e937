import { describe, expect, it } from 'vitest';
import { createRuntime, type HookOutcome, type PluginHooks, type RuntimeOptions, type Stage } from './index.ts';
import { exchangeOf, gateway, handClock, pluginOf } from './testing/fixtures.ts';
import { PLACE_WAIT_MS } from './place-wait.ts';

type RequestHook = NonNullable<PluginHooks['request']>;

/** A chain of these hooks in this order, on a clock that counts how often it is read. */
function benchOf(hooks: readonly RequestHook[], events: RuntimeOptions['events'] = {}) {
  const { clock, timers } = handClock();
  let readings = 0;
  const counting = {
    nowMs: () => clock.nowMs(),
    monotonicMs: () => {
      readings += 1;
      return clock.monotonicMs();
    },
  };
  const plugins = hooks.map((request, index) => pluginOf(`p${index}`, () => ({ request })));
  const instances = plugins.map(({ name }) => ({ id: name, name }));
  const chain = createRuntime({ plugins, instances, clock: counting, timers, events }).chainFor({ gateway });
  return { chain, clock, readings: () => readings };
}

describe('the time of hooks', () => {
  const ends: [string, Stage, HookOutcome, number][] = [];
  const events: RuntimeOptions['events'] = {
    onHookEnd: ({ name }, stage, outcome, durationMs) => void ends.push([name, stage, outcome, durationMs]),
  };

  it('is each one’s own, waiting included, with one reading of the clock per hook', async () => {
    ends.length = 0;
    const gate = Promise.withResolvers<undefined>();
    const bench = benchOf(
      [
        () => bench.clock.advance(2),
        async () => (await gate.promise, undefined),
        () => {
          bench.clock.advance(3);
          throw new Error('x');
        },
        () => (bench.clock.advance(4), { status: 200 }),
      ],
      events,
    );
    const exchange = exchangeOf({}, { recordSteps: true });
    const result = bench.chain.runRequest(exchange);
    bench.clock.advance(50);
    gate.resolve(undefined);
    expect(await result).toBe('respond');
    expect(ends).toEqual([
      ['p0', 'request', 'continue', 2],
      ['p1', 'request', 'continue', 50],
      ['p2', 'request', 'skipped', 3],
      ['p3', 'request', 'respond', 4],
    ]);
    expect(exchange.steps?.map(({ name, outcome, duration_us }) => [name, outcome, duration_us])).toEqual([
      ['p0', 'continue', 2000],
      ['p1', 'continue', 50_000],
      ['p2', 'skipped', 3000],
      ['p3', 'respond', 4000],
    ]);
    // One before the first, one after each, two of the wait, and one of the circuit that failed.
    expect(bench.readings()).toBe(8);
  });

  it('is not taken of sync hooks when nobody wants it; a wait reads the clock once', async () => {
    const bench = benchOf([() => undefined, () => Promise.resolve(undefined), () => undefined]);
    await bench.chain.runRequest(exchangeOf());
    expect(bench.readings()).toBe(1);
  });
});

describe('max_concurrency', () => {
  it('counts per instance and hook', async () => {
    const waiting: (() => void)[] = [];
    const wait = () => new Promise<undefined>((resolve) => waiting.push(() => resolve(undefined)));
    const { clock, timers } = handClock();
    const faults: string[] = [];
    const plugin = pluginOf('subject', () => ({ request: wait, response: wait }));
    const instances = ['a', 'b'].map((id) => ({
      id,
      name: 'subject',
      trigger: 'both' as const,
      execution: { max_concurrency: 1 },
    }));
    const runtime = createRuntime({
      plugins: [plugin],
      instances,
      clock,
      timers,
      events: { onHookFault: ({ id }, stage, fault) => void faults.push(`${id} ${stage} ${fault}`) },
    });
    const chain = runtime.chainFor({ gateway });
    const first = chain.runRequest(exchangeOf());
    const answered = exchangeOf();
    answered.setResponse({ status: 200, headers: [], source: 'upstream' });
    // The response hook of `a` is free while its request hook is not.
    const response = chain.runResponse(answered);
    expect([waiting.length, faults]).toEqual([2, []]);
    // `a` is full, and no place comes free: the second request passes it by, and waits in `b`.
    const second = chain.runRequest(exchangeOf());
    clock.advance(PLACE_WAIT_MS);
    await new Promise(setImmediate);
    expect([waiting.length, faults]).toEqual([3, ['a request at_capacity']]);
    for (let index = 0; index < waiting.length || index < 5; index += 1) {
      waiting[index]?.();
      await new Promise(setImmediate);
    }
    expect(await Promise.all([first, response, second])).toEqual(['continue', 'continue', 'continue']);
  });
});
