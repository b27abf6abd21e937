import fc from 'fast-check';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { toOpenMetrics } from './index.ts';

describe('toOpenMetrics', () => {
  it('rewrites what the two formats write differently, and nothing else', () => {
    const prometheus = String.raw`# HELP requests_total All "requests"\nso far
# TYPE requests_total counter
requests_total{path="/a,le=\"1\"",method="GET"} 3

# HELP restarts Without the suffix
# TYPE restarts counter
restarts 1
restarts{worker="restarts"} 2

# TYPE seconds histogram
seconds_bucket{le="0.5",route="r"} 1
seconds_bucket{route="r",le="1"} 2
seconds_bucket{le="+Inf",route="r"} 2
seconds_sum{route="r"} 1.25
seconds_count{route="r"} 2
# a comment
# TYPE wait summary
wait{quantile="1"} 4
# HELP temperature Of nobody knows what
temperature -1e-7
`;
    expect(toOpenMetrics(prometheus)).toBe(String.raw`# TYPE requests counter
# HELP requests All \"requests\"\nso far
requests_total{path="/a,le=\"1\"",method="GET"} 3
# TYPE restarts counter
# HELP restarts Without the suffix
restarts_total 1
restarts_total{worker="restarts"} 2
# TYPE seconds histogram
seconds_bucket{le="0.5",route="r"} 1
seconds_bucket{route="r",le="1.0"} 2
seconds_bucket{le="+Inf",route="r"} 2
seconds_sum{route="r"} 1.25
seconds_count{route="r"} 2
# TYPE wait summary
wait{quantile="1.0"} 4
# TYPE temperature unknown
# HELP temperature Of nobody knows what
temperature -1e-7
# EOF
`);
  });

  it('marks the end of nothing too', () => {
    expect(toOpenMetrics('')).toBe('# EOF\n');
  });

  it('says the same samples as a client library that writes OpenMetrics itself', async () => {
    const label = fc.string({ maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(label, fc.nat(1000)), { maxLength: 5 }), async (values) => {
        const written = async (contentType: typeof Registry.prototype.contentType) => {
          const registry = new Registry();
          registry.setContentType(contentType as never);
          const registers = [registry];
          const counter = new Counter({ name: 'hits_total', help: 'Hits', labelNames: ['at'], registers });
          const gauge = new Gauge({ name: 'level', help: 'Level', labelNames: ['at'], registers });
          const histogram = new Histogram({
            name: 'took',
            help: 'Took',
            labelNames: ['at'],
            registers,
            buckets: [0.5],
          });
          for (const [at, value] of values) {
            counter.inc({ at }, value);
            gauge.set({ at }, value);
            histogram.observe({ at }, value);
          }
          return registry.metrics();
        };
        const own = toOpenMetrics(await written(Registry.PROMETHEUS_CONTENT_TYPE));
        const theirs = await written(Registry.OPENMETRICS_CONTENT_TYPE);
        expect(own.split('\n').toSorted()).toEqual(theirs.split('\n').toSorted());
      }),
      { numRuns: 50 },
    );
  });
});
