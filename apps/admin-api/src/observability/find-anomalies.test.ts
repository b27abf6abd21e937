import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAnomalies, leastShareOf, recentBuckets, referenceDays, type TrafficBucket } from './find-anomalies.ts';

const day = 288;
const now = 6_000_000;
const window = 12;

/** Traffic of a week and a day, bucket by bucket. */
function seriesOf(bucketAt: (bucket: number) => TrafficBucket | undefined): Map<number, TrafficBucket> {
  const series = new Map<number, TrafficBucket>();
  for (let bucket = now - (referenceDays + 1) * day; bucket < now; bucket += 1) {
    const traffic = bucketAt(bucket);
    if (traffic) series.set(bucket, traffic);
  }
  return series;
}

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const steady = { requests: 6000, errors5xx: 60, p95Us: 80_000 };
const find = (series: Map<number, TrafficBucket>) => findAnomalies(series, now - window, now);

describe('anomalies', () => {
  it('are not found in constant series, whatever the constant', () => {
    fc.assert(
      fc.property(
        fc.record({
          requests: fc.nat({ max: 1_000_000 }),
          errors: fc.double({ min: 0, max: 1, noNaN: true }),
          p95Us: fc.option(fc.nat({ max: 86_400_000_000 }), { nil: undefined }),
        }),
        ({ requests, errors, p95Us }) => {
          const traffic = { requests, errors5xx: Math.floor(requests * errors), p95Us };
          expect(find(seriesOf(() => traffic))).toEqual([]);
        },
      ),
    );
  });

  it('are not found in steady noise', () => {
    const factor = fc.double({ min: 0.8, max: 1.25, noNaN: true });
    const noise = fc.array(fc.tuple(factor, factor, factor), { minLength: 50, maxLength: 97 });
    fc.assert(
      fc.property(noise, fc.nat({ max: 1000 }), (factors, shift) => {
        const series = seriesOf((bucket) => {
          const [requests, errors, latency] = factors[(bucket + shift) % factors.length] ?? [1, 1, 1];
          return {
            requests: Math.round(steady.requests * requests),
            errors5xx: Math.round(steady.errors5xx * requests * errors),
            p95Us: steady.p95Us * latency,
          };
        });
        expect(find(series)).toEqual([]);
      }),
    );
  });

  it('are not found where chance decides which of two kinds of requests the p95 is, but are where that has changed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(60, 200, 1000),
        fc.nat({ max: 100 }),
        fc.integer(),
        (requests, slowThousandths, seed) => {
          const slowShare = slowThousandths / 1000;
          const random = randomNumbers(seed);
          const bucketAt = (share: number): TrafficBucket => {
            const latencies = Array.from({ length: requests }, () => {
              const value = random();
              return value < share ? 2_000_000 : 20_000 + Math.floor(value * 4000);
            }).toSorted((left, right) => left - right);
            const quantile = (of: number): number => latencies[Math.max(0, Math.ceil(requests * of) - 1)] ?? 0;
            return { requests, errors5xx: 0, p95Us: quantile(0.95), p95LeastUs: quantile(leastShareOf(requests)) };
          };
          const few = Array.from({ length: 80 }, () => bucketAt(slowShare));
          const usual = (bucket: number): TrafficBucket => few[bucket % few.length] ?? bucketAt(slowShare);
          expect(find(seriesOf(usual))).toEqual([]);
          if (slowShare > 0.03) return;
          const slower = seriesOf((bucket) => (bucket < now - 2 ? usual(bucket) : bucketAt(0.6)));
          expect(find(slower)).toMatchObject([{ metric: 'latency_p95_ms', first: now - 2, end: now }]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('are found where a metric steps up and stays, from its first bucket to the end, with the change that it is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: window }),
        fc.constantFrom('error_rate', 'latency_p95_ms', 'request_rate'),
        fc.array(fc.double({ min: 0.9, max: 1.1, noNaN: true }), { minLength: 30, maxLength: 60 }),
        (length, metric, factors) => {
          const series = seriesOf((bucket) => {
            const noise = factors[bucket % factors.length] ?? 1;
            const times = (name: string): number => (bucket >= now - length && name === metric ? 5 : 1) * noise;
            const requests = Math.round(steady.requests * times('request_rate'));
            return {
              requests,
              errors5xx: Math.round((requests / 100) * times('error_rate')),
              p95Us: steady.p95Us * times('latency_p95_ms'),
            };
          });
          const found = find(series);
          expect(found.map((one) => one.metric)).toEqual([metric]);
          expect(found[0]).toMatchObject({ first: now - length, end: now });
          expect(found.map(({ observed, expected }) => observed / expected > 3.5)).toEqual([true]);
        },
      ),
    );
  });

  it('are found where traffic ends, and not where it always ends at that time', () => {
    const silent = seriesOf((bucket) => (bucket < now - 4 ? steady : undefined));
    expect(find(silent)).toMatchObject([
      { metric: 'request_rate', first: now - 4, end: now, observed: 0, expected: 1200 },
    ]);
    const nightly = seriesOf((bucket) => ((now - 1 - bucket) % day < 4 ? undefined : steady));
    expect(find(nightly).filter((one) => one.metric !== 'request_rate')).toEqual([]);
    const everyHour = seriesOf((bucket) => ((now - 1 - bucket) % 12 < 8 ? undefined : steady));
    expect(find(everyHour)).toEqual([]);
  });

  it('are not found at a level that is usual at this time of the day', () => {
    const rush = seriesOf((bucket) => {
      const isRush = (now - 1 - bucket) % day < window + 1;
      return {
        ...steady,
        requests: steady.requests * (isRush ? 8 : 1),
        errors5xx: steady.errors5xx * (isRush ? 8 : 1),
      };
    });
    expect(find(rush)).toEqual([]);
  });

  it('are not found where too little is known, nor in a handful of requests', () => {
    const young = seriesOf((bucket) =>
      bucket < now - 11 ? undefined : { ...steady, errors5xx: bucket === now - 1 ? 6000 : 0 },
    );
    expect(find(young)).toEqual([]);
    const few = seriesOf((bucket) => ({ requests: 9, errors5xx: bucket >= now - 2 ? 9 : 0, p95Us: 100 }));
    expect(find(few)).toEqual([]);
  });

  it('stay found beside an outage in what they are compared with', () => {
    const series = seriesOf((bucket) => {
      const wasOut = bucket >= now - recentBuckets && bucket < now - recentBuckets + 10;
      return { ...steady, errors5xx: wasOut || bucket === now - 1 ? 3000 : 60 };
    });
    expect(find(series)).toMatchObject([{ metric: 'error_rate', observed: 0.5, expected: 0.01 }]);
  });
});
