import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { latencyBin, latencyBinMax } from './latency-histogram.ts';
import { minuteCounter, observationLimits, type MinuteCounter } from './observations.ts';

const counter: MinuteCounter = {
  minute: 29_000_000,
  requests: 1,
  errors_4xx: 0,
  errors_5xx: 0,
  latency_sum_us: 0,
  request_bytes: 0,
  response_bytes: 0,
  statuses: [],
  histogram: [],
  over: [],
};
const { countMax, sumMax, thresholdsMax } = observationLimits;
const isAdmitted = (fields: object): boolean => v.is(minuteCounter, { ...counter, ...fields });

describe('a counter of a minute', () => {
  it.each([
    ['statuses of HTTP', { statuses: [[100, 1]] }, { statuses: [[99, 1]] }],
    ['statuses up to 599', { statuses: [[599, 1]] }, { statuses: [[600, 1]] }],
    ['bins of the histogram', { histogram: [[latencyBinMax, 1]] }, { histogram: [[latencyBinMax + 1, 1]] }],
    ['thresholds of up to a day', { over: [[86_400_000_000, 1]] }, { over: [[86_400_000_001, 1]] }],
    ['a bounded number of thresholds', { over: pairs(thresholdsMax) }, { over: pairs(thresholdsMax + 1) }],
    ['each status once', { statuses: pairs(500, 100) }, { statuses: [...pairs(500, 100), [100, 1]] }],
    ['bounded counts', { requests: countMax }, { requests: countMax + 1 }],
    ['bounded counts in pairs', { statuses: [[200, countMax]] }, { statuses: [[200, countMax + 1]] }],
    ['bounded sums of latencies', { latency_sum_us: sumMax }, { latency_sum_us: sumMax + 1 }],
    ['bounded sums of bytes', { request_bytes: sumMax }, { request_bytes: sumMax + 1 }],
  ])('has %s', (_rule, good, bad) => {
    expect([isAdmitted(good), isAdmitted(bad)]).toEqual([true, false]);
  });

  it('has room for every latency up to a day', () => {
    const bins = new Set([0, 127, 128, 1_000_000, 86_400_000_000].map(latencyBin));
    expect(isAdmitted({ histogram: [...bins].map((bin) => [bin, 1]) })).toBe(true);
  });
});

function pairs(length: number, first = 0): [number, number][] {
  return Array.from({ length }, (_, index) => [first + index, 1]);
}
