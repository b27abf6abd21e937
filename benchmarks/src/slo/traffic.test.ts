import { latencyBinStart, minuteCounter } from '@portcullis/resources';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { thresholdsUs, Traffic } from './traffic.ts';

it('counts each event once, in counters that the control plane takes', () => {
  const traffic = new Traffic('gw', 1);
  const time = { atMs: Date.UTC(2026, 0, 31, 23, 59, 59, 500), lateShare: 0.1, lateMsMax: 3_600_000 };
  const { counters, records } = traffic.second(5000, time, 50);
  for (const counter of counters) v.parse(minuteCounter, counter);
  const sum = (valueOf: (counter: (typeof counters)[number]) => number) =>
    BigInt(counters.reduce((all, one) => all + valueOf(one), 0));
  expect([records.length, sum((one) => one.requests), sum((one) => one.errors_5xx)]).toEqual([
    50,
    5000n,
    traffic.truth.failed,
  ]);
  expect(traffic.truth.total).toBe(5000n);
  const slow = thresholdsUs.map((_, index) => sum((one) => one.over[index]?.[1] ?? 0));
  expect(slow).toEqual(traffic.truth.slow);
  expect(Number(slow[0])).toBeGreaterThan(0);
  // The histogram of the same events agrees wherever a bin lies wholly on one side.
  const sure = sum((one) =>
    one.histogram.filter(([bin]) => latencyBinStart(bin) > 50_000).reduce((all, [, count]) => all + count, 0),
  );
  expect(slow[0] !== undefined && sure <= slow[0]).toBe(true);
  expect(counters.some(({ minute }) => minute < Math.floor(time.atMs / 60_000))).toBe(true);
});
