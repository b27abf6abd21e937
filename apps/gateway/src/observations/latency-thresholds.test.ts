import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MinuteCounters } from './minute-counters.ts';

const request = (latencyUs: number, routeId = 'r', status = 200) => ({
  ...{ routeId, serviceId: '', status, latencyUs, requestBytes: 0, responseBytes: 0 },
});

describe('latency thresholds', () => {
  it('count what takes strictly longer, and say so of none too', () => {
    const counters = new MinuteCounters();
    counters.countAgainst([0, 1000, 5000]);
    for (const latencyUs of [0, 999, 1000, 1001, 5000]) counters.count(1, request(latencyUs));
    expect(counters.take(1)).toMatchObject([
      {
        requests: 5,
        over: [
          [0, 4],
          [1000, 2],
          [5000, 0],
        ],
      },
    ]);
  });

  it('that change begin new counters: a counter tells of those only that all of its requests were compared with', () => {
    const counters = new MinuteCounters();
    counters.count(1, request(2000));
    counters.countAgainst([1000]);
    counters.count(1, request(2000));
    counters.countAgainst([1000]);
    counters.count(1, request(500));
    counters.countAgainst([1000, 3000]);
    counters.count(1, request(4000));
    expect(counters.size).toBe(3);
    const taken = counters.take(10).map(({ requests, over }) => ({ requests, over }));
    expect(taken.toSorted((left, right) => left.over.length - right.over.length)).toEqual([
      { requests: 1, over: [] },
      { requests: 2, over: [[1000, 1]] },
      {
        requests: 1,
        over: [
          [1000, 1],
          [3000, 1],
        ],
      },
    ]);
    expect(counters.size).toBe(0);
  });

  it('stay exact in whatever order requests and changes come', () => {
    const change = fc.record({ thresholds: fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { maxLength: 4 }) });
    const counted = fc.record({ latencyUs: fc.integer({ min: 0, max: 20 }), minute: fc.integer({ min: 1, max: 2 }) });
    fc.assert(
      fc.property(fc.array(fc.oneof(change, counted), { maxLength: 60 }), (steps) => {
        const counters = new MinuteCounters();
        let thresholds: readonly number[] = [];
        const compared = new Map<number, { requests: number; over: number }>();
        for (const step of steps) {
          if ('thresholds' in step) {
            thresholds = step.thresholds.toSorted((left, right) => left - right);
            counters.countAgainst(thresholds);
            continue;
          }
          counters.count(step.minute, request(step.latencyUs));
          for (const threshold of thresholds) {
            const known = compared.get(threshold) ?? { requests: 0, over: 0 };
            const over = known.over + (step.latencyUs > threshold ? 1 : 0);
            compared.set(threshold, { requests: known.requests + 1, over });
          }
        }
        const told = new Map<number, { requests: number; over: number }>();
        for (const counter of counters.take(Number.POSITIVE_INFINITY)) {
          for (const [threshold, over] of counter.over) {
            const known = told.get(threshold) ?? { requests: 0, over: 0 };
            told.set(threshold, { requests: known.requests + counter.requests, over: known.over + over });
          }
        }
        expect(told).toEqual(compared);
      }),
    );
  });

  it('are told of in common where counters are added up for want of room', () => {
    const counters = new MinuteCounters();
    for (let route = 0; route < 50_000; route += 1) counters.count(1, request(10, `r${route}`));
    counters.countAgainst([5]);
    counters.count(2, request(10, 'r1'));
    const [first, second] = [counters.take(1)[0], counters.size];
    expect([first?.minute, first?.over, second]).toEqual([1, [], 50_000]);
  });
});

it('no status beyond 599 is an error, nor one that a report could tell', () => {
  const counters = new MinuteCounters();
  for (const status of [399, 400, 499, 500, 599, 600, 999]) counters.count(1, request(1, 'r', status));
  expect(counters.take(1)).toMatchObject([
    { requests: 7, errors_4xx: 2, errors_5xx: 2, statuses: [399, 400, 499, 500, 599].map((status) => [status, 1]) },
  ]);
});
