import fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ExecutionPolicy, PluginCategory } from './index.ts';
import { CALLS_QUEUED_MAX } from './hook-slot.ts';
import { PLACE_WAIT_MS } from './place-wait.ts';
import { benchOf as baseOf } from './testing/execution-bench.ts';
import { exchangeOf } from './testing/fixtures.ts';

/** A bench whose hook waits until the test ends it: `inside` has the requests that are in it, in their order. */
function benchOf(execution: ExecutionPolicy, category?: PluginCategory) {
  const inside: { readonly path: string; end(): void; fail(): void }[] = [];
  const bench = baseOf(
    ({ request }) =>
      new Promise<undefined>((resolve, reject) => {
        inside.push({ path: request.path, end: () => resolve(undefined), fail: () => reject(new Error('broken')) });
      }),
    execution,
    category,
  );
  const send = async (path = '/') => bench.chain.runRequest(exchangeOf({ path }));
  return { ...bench, inside, send, paths: () => inside.map(({ path }) => path) };
}

describe('a call beyond max_concurrency', () => {
  it('goes in when a place comes free, first come first served, also past calls that come then', async () => {
    const { inside, send, paths, clock, faults } = benchOf({ max_concurrency: 2 });
    const results = ['/1', '/2', '/3', '/4'].map((path) => send(path));
    await turn();
    expect(paths()).toEqual(['/1', '/2']);
    inside[1]?.end();
    results.push(send('/5'));
    await turn();
    expect(paths()).toEqual(['/1', '/2', '/3']);
    for (let nth = 0; nth < 5; nth += 1) {
      inside[nth]?.end();
      await turn();
    }
    expect(paths()).toEqual(['/1', '/2', '/3', '/4', '/5']);
    expect(await Promise.all(results)).toEqual(Array.from({ length: 5 }, () => 'continue'));
    expect([clock.pendingTimers, faults]).toEqual([0, []]);
  });

  it('goes in before one that comes when the place is free already and its turn has not come yet', async () => {
    const { send, paths, clock } = benchOf({ max_concurrency: 1, timeout_ms: 10 });
    void send('/1');
    void send('/2');
    clock.advance(10);
    void send('/3');
    await turn();
    expect(paths()).toEqual(['/1', '/2']);
  });

  it.each<[PluginCategory, string]>([
    ['enforcement', 'failed'],
    ['observability', 'continue'],
  ])('is refused after its wait, which is no failure: category %s', async (category, end) => {
    const { inside, send, clock, faults, circuit } = benchOf({ max_concurrency: 1, failure_threshold: 1 }, category);
    const held = send();
    const late = send();
    clock.advance(PLACE_WAIT_MS - 1);
    await turn();
    expect([faults, clock.pendingTimers]).toEqual([[], 2]);
    clock.advance(1);
    expect([await late, faults, circuit]).toEqual([end, ['at_capacity'], []]);
    inside[0]?.end();
    expect([await held, inside.length, clock.pendingTimers]).toEqual(['continue', 1, 0]);
    const next = send();
    expect(inside).toHaveLength(2);
    inside[1]?.end();
    expect(await next).toBe('continue');
  });

  it('waits again from the beginning of its own time-out', async () => {
    const { inside, send, clock, faults } = benchOf({ max_concurrency: 1, timeout_ms: 30 });
    void send();
    clock.advance(10);
    const second = send();
    clock.advance(20);
    inside[0]?.end();
    await turn();
    expect([inside.length, faults]).toEqual([2, ['timed_out']]);
    clock.advance(29);
    inside[1]?.end();
    expect(await second).toBe('continue');
  });

  it('leaves with its client, and the next one takes its turn', async () => {
    const bench = benchOf({ max_concurrency: 1, failure_threshold: 1 });
    const first = bench.send('/1');
    const leaving = exchangeOf({ path: '/2' });
    const second = bench.chain.runRequest(leaving);
    const third = bench.send('/3');
    leaving.abort();
    expect([await second, bench.faults, bench.circuit]).toEqual(['failed', ['given_up'], []]);
    bench.inside[0]?.end();
    await turn();
    expect(bench.paths()).toEqual(['/1', '/3']);
    bench.inside[1]?.end();
    expect([await first, await third, bench.clock.pendingTimers]).toEqual(['continue', 'continue', 0]);
    const gone = exchangeOf();
    gone.abort();
    void bench.send('/4');
    expect(await bench.chain.runRequest(gone)).toBe('failed');
  });

  it('gets a signal that tells when its client leaves once it is in', async () => {
    let signal: AbortSignal | undefined;
    const held: (() => void)[] = [];
    const bench = baseOf(
      (exchange) => {
        signal = exchange.signal();
        return new Promise((resolve) => held.push(() => resolve(undefined)));
      },
      { max_concurrency: 1 },
    );
    void bench.run();
    const exchange = exchangeOf();
    const second = bench.chain.runRequest(exchange);
    held[0]?.();
    await turn();
    expect([held.length, signal?.aborted]).toEqual([2, false]);
    exchange.abort();
    expect(signal?.aborted).toBe(true);
    held[1]?.();
    expect(await second).toBe('continue');
  });

  it('does not go in when the circuit has opened meanwhile, and none of them wait on', async () => {
    const bench = benchOf({ max_concurrency: 1, failure_threshold: 1 });
    const results = ['/1', '/2', '/3'].map((path) => bench.send(path));
    bench.inside[0]?.fail();
    expect(await Promise.all(results)).toEqual(['failed', 'failed', 'failed']);
    expect([bench.inside.length, bench.faults]).toEqual([1, ['threw', 'circuit_open', 'circuit_open']]);
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('becomes the probe when its turn comes, one at a time', async () => {
    const bench = benchOf({ max_concurrency: 2, failure_threshold: 1, recovery_timeout_ms: 100, timeout_ms: 1000 });
    const early = [bench.send('/1'), bench.send('/2')];
    bench.inside[0]?.fail();
    await turn();
    // One of two places is held by a call from before; a second one fills the other.
    bench.clock.advance(100);
    const probe = bench.send('/probe');
    expect(bench.paths()).toEqual(['/1', '/2', '/probe']);
    expect(await bench.send('/refused')).toBe('failed');
    bench.inside[2]?.fail();
    await probe;
    expect(bench.circuit).toEqual(['closed > open', 'open > half_open', 'half_open > open']);
    bench.inside[1]?.end();
    expect(await Promise.all(early)).toEqual(['failed', 'continue']);
  });

  it('is refused at once when as many wait as may', async () => {
    const { inside, run, send, faults, clock } = benchOf({ max_concurrency: 1 });
    void send();
    const waiting = Array.from({ length: CALLS_QUEUED_MAX }, () => send());
    expect([run(), faults]).toEqual(['failed', ['at_capacity']]);
    clock.advance(PLACE_WAIT_MS);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['failed']));
    expect([inside.length, clock.pendingTimers]).toEqual([1, 1]);
  });

  it('goes past nobody and is forgotten by nobody, for any course of calls, ends and leaving clients', async () => {
    const steps = fc.array(fc.integer({ min: -6, max: 4 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (moves, max_concurrency) => {
        const bench = benchOf({ max_concurrency });
        const expected = { inside: new Set<string>(), entered: [] as string[], queue: [] as string[] };
        const exchanges = new Map<string, ReturnType<typeof exchangeOf>>();
        const settle = async (): Promise<void> => {
          while (expected.inside.size < max_concurrency && expected.queue.length > 0) {
            const path = expected.queue.shift() ?? '';
            expected.inside.add(path);
            expected.entered.push(path);
          }
          await turn();
        };
        for (const [nth, move] of moves.entries()) {
          if (move >= 0) {
            const exchange = exchangeOf({ path: `/${nth}` });
            exchanges.set(`/${nth}`, exchange);
            void bench.chain.runRequest(exchange);
            expected.queue.push(`/${nth}`);
          } else if (move === -6) {
            const path = expected.queue.splice(nth % Math.max(1, expected.queue.length), 1)[0];
            exchanges.get(path ?? '')?.abort();
          } else {
            const path = [...expected.inside][-move % Math.max(1, expected.inside.size)];
            bench.inside.find((one) => one.path === path)?.end();
            expected.inside.delete(path ?? '');
          }
          await settle();
          expect(bench.paths()).toEqual(expected.entered);
          expect(bench.clock.pendingTimers).toBe(expected.inside.size + expected.queue.length);
        }
      }),
    );
  });
});
