import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MovingAverage, STALE_AFTER_MS } from './moving-average.ts';

const latency = fc.double({ min: 0, max: 100_000, noNaN: true });

it('reaches 95 % of a step in nine samples with the default weight, and not in eight', () => {
  fc.assert(
    fc.property(latency, latency, fc.nat(50), (before, after, samples) => {
      fc.pre(Math.abs(after - before) > 1);
      const average = new MovingAverage();
      for (let sample = 0; sample <= samples; sample += 1) average.note(before, 0.3, 0);
      const reached: number[] = [];
      for (let sample = 0; sample < 9; sample += 1) {
        average.note(after, 0.3, 0);
        reached.push(((average.at(0, undefined) ?? 0) - before) / (after - before));
      }
      expect(reached[7]).toBeLessThan(0.95);
      expect(reached[8]).toBeGreaterThan(0.95);
    }),
  );
});

it('is set by the first sample, and stays within what was sampled', () => {
  fc.assert(
    fc.property(
      fc.array(latency, { minLength: 1 }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      (samples, alpha) => {
        const average = new MovingAverage();
        average.note(samples[0] ?? 0, alpha, 0);
        expect(average.at(0, undefined)).toBe(samples[0]);
        for (const sample of samples.slice(1)) average.note(sample, alpha, 0);
        expect(average.at(0, undefined)).toBeGreaterThanOrEqual(Math.min(...samples) - 1e-6);
        expect(average.at(0, undefined)).toBeLessThanOrEqual(Math.max(...samples) + 1e-6);
      },
    ),
  );
});

it('goes back to what is configured when no samples come', () => {
  const average = new MovingAverage();
  expect(average.at(0, 10)).toBeUndefined();
  average.note(1000, 0.3, 0);
  expect(average.at(STALE_AFTER_MS, 10)).toBe(1000);
  expect(average.at(STALE_AFTER_MS + 60_000, 10)).toBeCloseTo(10 + 990 / Math.E);
  expect(average.at(STALE_AFTER_MS + 3_600_000, 10)).toBeCloseTo(10);
  expect(average.at(STALE_AFTER_MS + 60_000, undefined)).toBeCloseTo(1000 / Math.E);
  expect(average.at(STALE_AFTER_MS + 3_600_000, undefined)).toBeCloseTo(0);
});
