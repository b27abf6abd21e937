import fc from 'fast-check';
import { expect, it } from 'vitest';
import { slowRequests } from './counter-bounds.ts';
import { binOf, binRange } from './counters.test-support.ts';

it('bounds contain the truth, and are it when all were compared or the threshold ends a bin', () => {
  const latencies = fc.array(fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 2 ** 40 })), { maxLength: 50 });
  const thresholds = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 2 ** 40 }));
  fc.assert(
    fc.property(latencies, thresholds, fc.nat({ max: 50 }), (all, thresholdUs, some) => {
      const histogram = new Map<number, number>();
      for (const latency of all) histogram.set(binOf(latency), (histogram.get(binOf(latency)) ?? 0) + 1);
      const isOver = (latency: number): boolean => latency > thresholdUs;
      const truth = all.filter(isOver).length;
      const [requests, compared] = [all.length, Math.min(some, all.length)];
      const over = all.slice(0, compared).filter(isOver).length;
      const byBins = slowRequests({ requests, histogram }, thresholdUs, binRange);
      const byBoth = slowRequests({ requests, histogram, over, compared }, thresholdUs, binRange);
      for (const { least, most } of [byBins, byBoth]) expect(least <= truth && truth <= most).toBe(true);
      expect(byBoth.least >= byBins.least && byBoth.most <= byBins.most).toBe(true);
      expect(byBins.most - byBins.least).toBeLessThanOrEqual(histogram.get(binOf(thresholdUs)) ?? 0);
      expect(slowRequests({ requests, over: truth, histogram }, thresholdUs, binRange)).toEqual({
        least: truth,
        most: truth,
      });
      if (binRange(binOf(thresholdUs)).mostUs === thresholdUs) expect(byBins).toEqual({ least: truth, most: truth });
    }),
    { numRuns: 500 },
  );
});

it('what nobody counted may be either, and counters that contradict themselves stay inside their requests', () => {
  expect(slowRequests({ requests: 5 }, 100, binRange)).toEqual({ least: 0, most: 5 });
  expect(slowRequests({ requests: 5, over: 9 }, 100, binRange)).toEqual({ least: 5, most: 5 });
  expect(slowRequests({ requests: 5, over: 2, compared: 3 }, 100, binRange)).toEqual({ least: 2, most: 4 });
  expect(slowRequests({ requests: 5, histogram: [[150, 9]] }, 100, binRange)).toEqual({ least: 5, most: 5 });
});
