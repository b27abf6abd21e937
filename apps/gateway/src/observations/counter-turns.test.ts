import { observationLimits } from '@portcullis/resources';
import { describe, expect, it } from 'vitest';
import { batchesPerTurn, countersAtOnce, CounterTurns } from './counter-turns.ts';
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

  it('an empty batch takes nothing', () => {
    expect(new CounterTurns().take(new MinuteCounters())).toEqual([]);
  });
});
