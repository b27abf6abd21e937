import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { latencyBin, latencyBinMax, latencyBinStart, latencyQuantile } from './latency-histogram.ts';

const latencyUs = fc.integer({ min: 0, max: 86_400_000_000 });

describe('the latency histogram', () => {
  it('puts every latency into the one bin whose borders hold it', () => {
    fc.assert(
      fc.property(latencyUs, (latency) => {
        const bin = latencyBin(latency);
        expect(latencyBinStart(bin)).toBeLessThanOrEqual(latency);
        expect(latencyBinStart(bin + 1)).toBeGreaterThan(latency);
      }),
    );
  });

  it('has bins no wider than 0.79 % of what they hold, and exact ones below 128 microseconds', () => {
    for (let bin = 0; bin <= latencyBinMax; bin += 1) {
      const width = latencyBinStart(bin + 1) - latencyBinStart(bin);
      expect(width === 1 || width / latencyBinStart(bin) <= 0.0079).toBe(true);
    }
  });

  it('gives quantiles within a bin of the exact ones', () => {
    const quantile = fc.constantFrom(0.5, 0.95, 0.99, 1);
    fc.assert(
      fc.property(fc.array(latencyUs, { minLength: 1, maxLength: 200 }), quantile, (latencies, share) => {
        const counts = new Map<number, number>();
        for (const latency of latencies) counts.set(latencyBin(latency), (counts.get(latencyBin(latency)) ?? 0) + 1);
        const exact = latencies.toSorted((left, right) => left - right)[Math.ceil(latencies.length * share) - 1] ?? 0;
        expect(latencyBin(Math.floor(latencyQuantile(counts, share) ?? -1))).toBe(latencyBin(exact));
      }),
    );
  });

  it('has no quantile of nothing', () => {
    expect(latencyQuantile(new Map(), 0.5)).toBeUndefined();
  });
});
