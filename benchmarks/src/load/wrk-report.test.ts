import { describe, expect, it } from 'vitest';
import { parseWrkReport } from './wrk-report.ts';

const report = (p50: string, p99: string, trouble = ''): string => `Running 2s test @ http://127.0.0.1:8000/
  1 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.61ms  512.20us  12.11ms   91.60%
    Req/Sec    40.10k     3.11k   45.00k    85.00%
  Latency Distribution
     50%    ${p50}
     75%    2.00ms
     90%    2.90ms
     99%    ${p99}
  80210 requests in 2.01s, 12.34MB read
${trouble}Requests/sec:  39905.50
Transfer/sec:      6.14MB
`;

describe('parseWrkReport', () => {
  it.each([
    ['812.00us', '3.10ms', 0.812, 3.1],
    ['1.50ms', '1.20s', 1.5, 1200],
    ['2.00s', '1.50m', 2000, 90_000],
    // wrk fills seconds up with a space.
    ['1.11s ', '1.22s ', 1110, 1220],
  ])('reads latencies of %s and %s', (p50, p99, p50Ms, p99Ms) => {
    const read = parseWrkReport(report(p50, p99));
    expect(read).toMatchObject({ answered: 80_210, errors: 0, requestsPerSecond: 39_905.5 });
    expect(read.p50Ms).toBeCloseTo(p50Ms, 9);
    expect(read.p99Ms).toBeCloseTo(p99Ms, 9);
  });

  it('counts refusals and broken connections as errors', () => {
    const trouble = '  Socket errors: connect 1, read 2, write 3, timeout 4\n  Non-2xx or 3xx responses: 210\n';
    expect(parseWrkReport(report('1ms', '2ms', trouble))).toMatchObject({ answered: 80_000, errors: 220 });
  });

  it('says what is missing', () => {
    expect(() => parseWrkReport('unable to connect to 127.0.0.1:8000')).toThrow('wrk says nothing of');
  });
});
