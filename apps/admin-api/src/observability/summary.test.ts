import { latencyQuantile, type MinuteCounter } from '@portcullis/resources';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { createObservationIngest } from './observation-ingest.ts';
import { batch, counter, minute, nodeOf, nowMs, watched } from './observations.test-support.ts';
import { createObservationPruning } from './prune-observations.ts';
import { readSummary } from './read-summary.ts';
import { rangesOf, seriesPointsMax, seriesStepMinutes, summaryWindow } from './summary-window.ts';

const window = fc
  .record({ end: fc.integer({ min: 29_000_000, max: 29_100_000 }), minutes: fc.integer({ min: 1, max: 43_200 }) })
  .map(({ end, minutes }) => ({ first: end - minutes, end }));

describe('the window of a summary', () => {
  it('has at most 120 points, of single minutes as long as they fit', () => {
    fc.assert(
      fc.property(window, ({ first, end }) => {
        const step = seriesStepMinutes({ first, end });
        expect(Math.floor((end - 1) / step) - Math.floor(first / step)).toBeLessThan(seriesPointsMax);
        expect(step === 1).toBe(end - first <= seriesPointsMax);
        expect(step % 60 === 0).toBe(end - first >= 720);
      }),
    );
  });

  it('begins where it is asked to, and with a whole hour where minutes of routes are gone', () => {
    expect(summaryWindow(29_000_007, 60)).toEqual({ first: 28_999_947, end: 29_000_007 });
    expect(summaryWindow(29_000_007, 8 * 1440).first).toBe(29_000_007 - 8 * 1440);
    expect(summaryWindow(29_000_007, 43_200)).toEqual({ first: 28_956_780, end: 29_000_007 });
  });

  it('is read without gap or overlap, with at most 59 minutes at each edge of whole hours', () => {
    fc.assert(
      fc.property(window, ({ first, end }) => {
        const ranges = rangesOf({ first, end });
        expect([first, ...ranges.map((range) => range.end)]).toEqual([...ranges.map((range) => range.first), end]);
        for (const { rows, first: from, end: to } of ranges) {
          if (rows === 'hour') expect([from % 60, to % 60]).toEqual([0, 0]);
          else expect(to - from).toBeLessThan(ranges.length === 1 ? 119 : 60);
        }
      }),
    );
  });
});

describeOnEachDatabase('a summary', (context) => {
  const summaryOf = async (tenantId: string, minutes: number, database = context.database()) => {
    const scope = { tenantId, gatewayId: 'g' };
    const summary = await readSummary(database.read, scope, { first: minute + 1 - minutes, end: minute + 1 });
    return summary.toWire();
  };

  it('adds up exactly what lies in the window, for windows of any length', async () => {
    const counters = Array.from({ length: 900 }, (_, index): MinuteCounter => ({
      ...counter,
      minute: minute - Math.floor((index * index) / 20),
      ...(index % 7 === 0 ? {} : { route_id: `r${index % 13}` }),
      histogram: [[index, 3]],
    }));
    await createObservationIngest(context.database(), () => nowMs)(nodeOf('exact'), batch(1, { counters }));
    for (const minutes of [1, 60, 120, 121, 1440, 7200, 10_001, 43_200]) {
      const inside = counters.filter((one) => one.minute > minute - minutes);
      const quantile = (some: readonly MinuteCounter[], share: number) =>
        (latencyQuantile(new Map(some.flatMap((one) => one.histogram)), share) ?? 0) / 1000;
      const summary = await summaryOf('exact', minutes);
      expect(summary).toMatchObject({
        totals: {
          requests: inside.length * 3,
          errors_4xx: inside.length,
          errors_5xx: inside.length,
          error_rate: 2 / 3,
          latency_ms: { p50: quantile(inside, 0.5), p95: quantile(inside, 0.95), p99: quantile(inside, 0.99), avg: 2 },
          bytes_in: inside.length * 30,
          bytes_out: inside.length * 60,
        },
        by_status: { 200: inside.length, 404: inside.length, 503: inside.length },
      });
      const step = Number(summary['series_step_minutes']);
      const points = Map.groupBy(inside, (one) => one.minute - (one.minute % step));
      expect(summary['series']).toEqual(
        [...points]
          .toSorted(([left], [right]) => left - right)
          .map(([start, some]) => ({
            at: new Date(start * 60_000).toISOString(),
            requests: some.length * 3,
            errors_5xx: some.length,
            p95_ms: quantile(some, 0.95),
          })),
      );
      const routes = Map.groupBy(
        inside.filter((one) => one.route_id !== 'r'),
        (one) => one.route_id ?? '',
      );
      const lines = [
        ...routes,
        ...Map.groupBy(
          inside.filter((one) => one.route_id === 'r'),
          () => 'r',
        ),
      ].map(([id, some]) => ({
        route_id: id,
        requests: some.length * 3,
        errors_5xx: some.length,
        p95_ms: quantile(some, 0.95),
      }));
      const busiest = lines.toSorted((a, b) => b.requests - a.requests || (a.route_id < b.route_id ? -1 : 1));
      expect(summary['top_routes']).toEqual(busiest.slice(0, 10));
    }
  });

  it('of a day reads hours and the minutes at its edges', async () => {
    const counters = Array.from({ length: 1440 }, (_, back) => ({
      ...counter,
      minute: minute - back,
      route_id: 'busy',
    }));
    await createObservationIngest(context.database(), () => nowMs)(nodeOf('day'), batch(1, { counters }));
    const { database, log } = watched(context.database());
    expect(await summaryOf('day', 1440, database)).toMatchObject({
      totals: { requests: 1440 * 3 },
      series_step_minutes: 60,
    });
    expect(log.rowsAll).toBeLessThanOrEqual(1 + 2 * (24 + 59 + 59));
  });

  it('counts for routes what it counts in all, also where minutes of routes are not kept any more', async () => {
    const window = summaryWindow(minute + 1, 20 * 1440);
    const first = { ...counter, minute: window.first + 7, route_id: 'old' };
    await createObservationIngest(context.database(), () => nowMs)(nodeOf('edge'), batch(1, { counters: [first] }));
    const routes = async () => {
      const scope = { tenantId: 'edge', gatewayId: undefined };
      return (await readSummary(context.database().read, scope, window)).toWire();
    };
    const before = await routes();
    expect(before).toMatchObject({ totals: { requests: 3 }, top_routes: [{ route_id: 'old', requests: 3 }] });
    await createObservationPruning(context.database()).run(nowMs);
    expect(await routes()).toEqual(before);
  });

  it('of thirty days takes few queries of few rows each', async () => {
    const days = Array.from({ length: 30 }, (_, index) => index);
    for (const day of days) {
      const counters = Array.from({ length: 24 * 20 }, (_, index) => ({
        ...counter,
        minute: minute - day * 1440 - (index % 24) * 60,
        route_id: `r${Math.floor(index / 24)}`,
      }));
      await createObservationIngest(context.database(), () => nowMs)(nodeOf('long'), batch(day + 1, { counters }));
    }
    const { database, log } = watched(context.database());
    const summary = await summaryOf('long', 43_200, database);
    expect(summary).toMatchObject({ totals: { requests: 30 * 24 * 20 * 3 }, series_step_minutes: 480 });
    expect(log.statements).toBeLessThan(45);
    expect(log.rowsMax).toBeLessThanOrEqual(250);
  });
});
