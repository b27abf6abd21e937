import { type MinuteCounter, observationLimits } from '@portcullis/resources';
import { describe, expect, it } from 'vitest';
import { batchesPerTurn, countersAtOnce, countersCharactersMax, CounterTurns } from './counter-turns.ts';
import { MinuteCounters } from './minute-counters.ts';

const count = (counters: MinuteCounters, routes: number): void => {
  const figures = { serviceId: '', status: 200, latencyUs: 1, requestBytes: 0, responseBytes: 0 };
  for (let route = 0; route < routes; route += 1) counters.count(1, { ...figures, routeId: `route-${route}` });
};

const sum = (taken: readonly { readonly requests: number }[]): number =>
  taken.reduce((total, { requests }) => total + requests, 0);

describe('the turns of counters', () => {
  it('few counters go with every batch', () => {
    const counters = new MinuteCounters();
    const turns = new CounterTurns();
    for (let batch = 0; batch < 3; batch += 1) {
      count(counters, countersAtOnce);
      expect(turns.take(counters)).toHaveLength(countersAtOnce);
    }
  });

  it('many gather requests until their turn, and none is lost', () => {
    const counters = new MinuteCounters();
    const turns = new CounterTurns();
    const routes = observationLimits.countersMax + 100;
    const sizes: number[] = [];
    let seen = 0;
    for (let batch = 1; batch <= 2 * batchesPerTurn; batch += 1) {
      count(counters, routes);
      const taken = turns.take(counters);
      sizes.push(taken.length);
      seen += sum(taken);
    }
    expect(sizes).toEqual([0, 0, 0, 0, observationLimits.countersMax, 100, 0, 0, 0, observationLimits.countersMax]);
    const rest = [turns.take(counters, true), turns.take(counters, true), turns.take(counters, true)];
    expect(seen + sum(rest.flat())).toBe(2 * batchesPerTurn * routes);
    expect(counters.size).toBe(0);
  });

  it('the end waits for no turn', () => {
    const counters = new MinuteCounters();
    count(counters, 2 * countersAtOnce);
    expect(new CounterTurns().take(counters, true)).toHaveLength(2 * countersAtOnce);
  });

  it('after an outage batches are no larger than a control plane takes, one after the other', () => {
    const counters = new MinuteCounters();
    counters.countAgainst(Array.from({ length: 64 }, (_, index) => 1_000_000_000 + index));
    const figures = {
      routeId: 'r'.repeat(128),
      serviceId: 's'.repeat(128),
      status: 200,
      requestBytes: 1,
      responseBytes: 1,
    };
    const [minutes, latencies] = [700, 900];
    for (let minute = 1; minute <= minutes; minute += 1) {
      // A bin each, from milliseconds to minutes.
      for (let at = 0; at < latencies; at += 1) {
        counters.count(minute, { ...figures, latencyUs: Math.floor(1000 * 1.01 ** at) });
      }
    }
    const turns = new CounterTurns();
    const taken: MinuteCounter[][] = [];
    while (counters.size > 0) taken.push(turns.take(counters));
    const sizes = taken.map((some) => JSON.stringify(some).length);
    expect(Math.max(...sizes)).toBeLessThan(countersCharactersMax);
    // Not so cautious that an outage takes for ever to tell.
    expect(Math.max(...sizes)).toBeGreaterThan(countersCharactersMax / 3);
    expect(sum(taken.flat())).toBe(minutes * latencies);
  });

  it('an empty batch takes nothing', () => {
    expect(new CounterTurns().take(new MinuteCounters())).toEqual([]);
  });
});
