import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isBadEvent, latencyThresholdUs, type Objective } from './objective.ts';

const availability: Objective = { type: 'availability', target_percent: 99.9 };
const latency = (threshold: number | string): Objective => ({
  type: 'latency',
  target_percent: 99.9,
  latency_threshold_ms: threshold,
});

it('statuses from 500 to 599 are bad for availability, and no others', () => {
  const bad = [100, 200, 301, 404, 429, 499, 500, 501, 503, 599, 600, 999].filter((status) =>
    isBadEvent(availability, { status }),
  );
  expect(bad).toEqual([500, 501, 503, 599]);
});

it('a latency equal to the threshold is good, one above it is bad whatever the status', () => {
  const isSlow = (ms: number | string, threshold: number | string): boolean =>
    isBadEvent(latency(threshold), { status: 200, latency_ms: ms });
  expect([isSlow(250, 250), isSlow(250.001, 250), isSlow('250.000', 250), isSlow('250.0000000001', 250)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
  expect([isSlow(0.3, '0.30'), isSlow('0.3', 0.1 + 0.2), isSlow(0.1 + 0.2, '0.3'), isSlow(1e-7, 1e-7)]).toEqual([
    false,
    false,
    true,
    false,
  ]);
  expect(isBadEvent(latency(250), { status: 503, latency_us: 250_000 })).toBe(false);
  expect(isBadEvent(latency(250), { status: 200, latency_us: 250_001 })).toBe(true);
});

it('whole microseconds decide as exact decimals do, for every threshold', () => {
  const thresholds = fc.oneof(
    fc.double({ min: 1e-9, max: 1e7, noNaN: true }),
    fc.integer({ min: 1, max: 10_000_000 }).map((us) => us / 1000),
  );
  fc.assert(
    fc.property(thresholds, fc.integer({ min: -3, max: 3 }), (threshold, beside) => {
      const us = Math.max(0, Math.round(threshold * 1000) + beside);
      const text = `${Math.floor(us / 1000)}.${String(us % 1000).padStart(3, '0')}`;
      const asDecimal = isBadEvent(latency(threshold), { status: 200, latency_ms: text });
      expect(isBadEvent(latency(threshold), { status: 200, latency_us: us })).toBe(asDecimal);
    }),
    { numRuns: 2000 },
  );
});

it('thresholds of counters are whole microseconds, and bounded', () => {
  expect([250, 0.0005, 1.2345, '1e30'].map((ms) => latencyThresholdUs(latency(ms)))).toEqual([
    250_000,
    0,
    1234,
    Number.MAX_SAFE_INTEGER,
  ]);
});

it('what cannot be judged is an error', () => {
  expect(() => isBadEvent({ type: 'latency', target_percent: 99 }, { status: 200, latency_us: 1 })).toThrow(RangeError);
  expect(() => isBadEvent(latency(250), { status: 200 })).toThrow(RangeError);
  expect(() => isBadEvent(latency('soon'), { status: 200, latency_ms: 1 })).toThrow(RangeError);
});
