import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LATENCY_SERIES_MAX } from './latency-book.ts';
import { orderTargets } from './order-targets.ts';
import { handClock, modelsOf, routeOf, silent } from './routing.test-support.ts';
import { TargetOrder, WEIGHT_STATES_MAX } from './target-order.ts';

const order = (): TargetOrder => new TargetOrder(handClock());

describe('orders that never change', () => {
  it('ordered keeps the array, without what is switched off', () => {
    const route = routeOf('ordered', [{ priority: 1 }, { enabled: false }, { priority: 9 }]);
    expect(modelsOf(order().order(route, silent))).toBe('a c');
  });

  it('priority puts the highest first, and equal ones stay as they are', () => {
    const priorities = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(priorities, (list) => {
        const targets = list.map((priority, index) => ({ priority, model: String(index) }));
        const ordered = order().order(routeOf('priority', targets), silent);
        for (const [index, target] of ordered.entries()) {
          const next = ordered[index + 1];
          if (next === undefined) continue;
          expect(target.priority).toBeGreaterThanOrEqual(next.priority);
          if (target.priority === next.priority) expect(Number(target.model)).toBeLessThan(Number(next.model));
        }
        expect(ordered).toHaveLength(list.length);
      }),
    );
  });

  it.each(['ordered', 'priority', 'weighted', 'least_latency', 'semantic'])(
    '%s tries a provider’s model once, and gives nothing where all is off',
    (strategy) => {
      const route = routeOf(strategy, [{ model: 'x' }, { model: 'x' }, { model: 'x', provider: 'q' }]);
      const targets = order().order(route, silent);
      expect(targets.map(({ provider }) => provider)).toEqual(['p', 'q']);
      expect(order().order(routeOf(strategy, [{ enabled: false }]), silent)).toEqual([]);
    },
  );
});

describe('weighted', () => {
  it('goes on by one for each request, and begins anew when weights or targets change', () => {
    const one = order();
    const firsts = (weights: readonly number[], times: number): string =>
      Array.from({ length: times }, () => {
        const route = routeOf(
          'weighted',
          weights.map((weight) => ({ weight })),
        );
        return one.order(route, silent)[0]?.model;
      }).join('');
    expect(firsts([5, 1, 1], 7)).toBe('aabacaa');
    expect(firsts([5, 1, 1], 3)).toBe('aab');
    expect(firsts([1, 1], 1)).toBe('a');
    expect(firsts([1, 1], 2)).toBe('ba');
  });

  it('plugins that share a route, and of which one lacks a target, have a sequence each', () => {
    const one = order();
    const whole = routeOf('weighted', [{ weight: 2 }, {}, {}]);
    const part = routeOf('weighted', [{ weight: 2 }, {}, { enabled: false }]);
    const rounds = Array.from({ length: 4 }, () => [
      one.order(whole, silent)[0]?.model,
      one.order(part, silent)[0]?.model,
    ]);
    expect(rounds.map(([first]) => first).join('')).toBe('abca');
    expect(rounds.map(([, second]) => second).join('')).toBe('abaa');
  });

  it('leaves those that are off out of the sum', () => {
    const one = order();
    const route = routeOf('weighted', [{ weight: 8, enabled: false }, { weight: 1 }, { weight: 1 }]);
    expect(Array.from({ length: 4 }, () => modelsOf(one.order(route, silent)))).toEqual(['b c', 'c b', 'b c', 'c b']);
  });

  it('keeps the place of a bounded number of routes', () => {
    const one = order();
    const first = (id: number): string | undefined =>
      one.order({ ...routeOf('weighted', [{}, {}]), id: `r${id}` }, silent)[0]?.model;
    expect([first(0), first(0), first(0)]).toEqual(['a', 'b', 'a']);
    for (let id = 1; id <= WEIGHT_STATES_MAX; id += 1) first(id);
    expect(first(0)).toBe('a');
  });

  it('is told of shares without moving', () => {
    const one = order();
    const route = routeOf('weighted', [{ weight: 3 }, { weight: 1 }]);
    const shown = one.explain(route, silent);
    expect(shown.map(({ target, share }) => [target.model, share])).toEqual([
      ['a', 0.75],
      ['b', 0.25],
    ]);
    expect(modelsOf(one.order(route, silent))).toBe('a b');
  });
});

describe('least latency', () => {
  const note = (latencyMs: number, stream = false) => ({ stream, outcome: 'success', latencyMs }) as const;

  it('puts the lowest measured or else configured latency first, then priority, then the array', () => {
    const route = routeOf('least_latency', [{ priority: 1 }, { latency_ms: 50 }, { latency_ms: 80 }, { priority: 2 }]);
    const one = order();
    expect(modelsOf(one.order(route, silent))).toBe('b c d a');
    one.noteLatency(route, route.targets[1] ?? fail(), note(100));
    expect(modelsOf(one.order(route, silent))).toBe('c b d a');
    const last = { ...route, latencyColdStart: 'last' } as const;
    expect(modelsOf(one.order(last, silent))).toBe('b c d a');
  });

  it('counts no failure, and a timeout as long as it took', () => {
    const route = routeOf('least_latency', [{ latency_ms: 50 }, { latency_ms: 80 }]);
    const one = order();
    for (const outcome of [
      'provider_error',
      'transport_error',
      'client_closed',
      'provider_malformed_response',
    ] as const) {
      one.noteLatency(route, route.targets[1] ?? fail(), { stream: false, outcome, latencyMs: 1 });
    }
    expect(modelsOf(one.order(route, silent))).toBe('a b');
    one.noteLatency(route, route.targets[0] ?? fail(), { stream: false, outcome: 'timeout', latencyMs: 60_000 });
    expect(modelsOf(one.order(route, silent))).toBe('b a');
  });

  it.each([undefined, 10])('one request at a time tries a target that was slow, configured with %s', (latency_ms) => {
    const clock = handClock();
    const one = new TargetOrder(clock);
    const route = routeOf('least_latency', [{ model: 'dead', ...(latency_ms && { latency_ms }) }, { model: 'good' }]);
    const timeouts: number[] = [];
    let triedDead = 0;
    const timeoutMs = 60_000;
    for (; clock.ms < 3_600_000; clock.ms += 100) {
      while ((timeouts[0] ?? Infinity) <= clock.ms) {
        timeouts.shift();
        one.noteLatency(route, route.targets[0] ?? fail(), { stream: false, outcome: 'timeout', latencyMs: timeoutMs });
      }
      const [first] = one.order(route, silent);
      if (first?.model === 'dead') {
        timeouts.push(clock.ms + timeoutMs);
        // Before anything is known of it, all of them go there.
        if (clock.ms > timeoutMs) triedDead += 1;
      }
      one.noteLatency(route, route.targets[1] ?? fail(), { stream: false, outcome: 'success', latencyMs: 900 });
    }
    expect(triedDead).toBeGreaterThan(2);
    expect(triedDead).toBeLessThan(60);
  });

  it('has two series, goes by that of the answer’s kind, and by the other where it has none', () => {
    const route = routeOf('least_latency', [{}, {}]);
    const [a, b] = route.targets;
    const one = order();
    one.noteLatency(route, a ?? fail(), { ...note(5000, true), ttftMs: 10 });
    one.noteLatency(route, b ?? fail(), { ...note(9000, true), ttftMs: 20 });
    one.noteLatency(route, a ?? fail(), note(900));
    one.noteLatency(route, b ?? fail(), note(100));
    const streaming = { ...silent, stream: true };
    expect([modelsOf(one.order(route, streaming)), modelsOf(one.order(route, silent))]).toEqual(['a b', 'b a']);
    const other = order();
    other.noteLatency(route, b ?? fail(), note(100));
    expect(modelsOf(other.order(route, streaming))).toBe('b a');
  });

  it('is shared by routes of one provider and model, and bounded', () => {
    const one = order();
    const many = routeOf(
      'least_latency',
      Array.from({ length: 200 }, (_, index) => ({ model: `m${index}` })),
    );
    one.noteLatency(many, { ...(many.targets[0] ?? fail()), model: 'a' }, note(5));
    const route = routeOf('least_latency', [{ latency_ms: 3 }, { latency_ms: 4 }]);
    expect(modelsOf(one.order(route, silent))).toBe('b a');
    for (let index = 0; index < LATENCY_SERIES_MAX; index += 1) {
      one.noteLatency(many, { ...(many.targets[0] ?? fail()), model: `x${index}` }, note(5));
    }
    expect(modelsOf(one.order(route, silent))).toBe('a b');
  });
});

describe('orderTargets', () => {
  it('takes a config as it is, and goes on with a route that it has seen', () => {
    const config = {
      strategy: 'weighted_rr',
      targets: [
        { provider: 'p', model: 'a', weight: 2 },
        { provider: 'p', model: 'b' },
      ],
    };
    const firsts = Array.from({ length: 6 }, () => orderTargets(config, { model: 'x' })[0]?.model);
    expect(firsts.join('')).toBe('abaaba');
  });

  it('compares the last message with hints', () => {
    const route = routeOf('semantic', [{}, { hints: 'translate to french' }]);
    const messages = [{ role: 'user', content: 'Please translate this sentence' }];
    expect(modelsOf(orderTargets(route, { messages }))).toBe('b a');
  });
});

function fail(): never {
  throw new Error('there is no such target');
}
