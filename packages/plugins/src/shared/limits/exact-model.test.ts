import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Counters } from './counters.ts';
import { ExactModel } from '../../testing/exact-model.ts';
import { limitWindows, type LimitForms } from './limit-window.ts';
import { RequestLimits } from './request-limits.ts';

const DAY_MS = 86_400_000;

/** Just before the borders that calendars trip over, and somewhere. */
const starts = [
  Date.UTC(2027, 11, 31, 23, 59, 58),
  Date.UTC(2028, 1, 28, 23, 59, 58),
  Date.UTC(2028, 1, 29, 23, 59, 58),
  Date.UTC(2026, 2, 31, 23, 0, 0),
  Date.UTC(2027, 5, 15, 12, 34, 56, 789),
];

const limit = fc.integer({ min: 4, max: 12 });
const seconds = fc.constantFrom(1, 7, 60, 3600, 86_400, 2_592_000);
const config: fc.Arbitrary<LimitForms> = fc.oneof(
  fc.record({ limit, window_seconds: seconds }),
  fc.record(
    { second: limit, minute: limit, hour: limit, day: limit, month: limit, year: limit },
    { requiredKeys: ['month'] },
  ),
  fc
    .uniqueArray(fc.record({ limit, window_seconds: seconds }), {
      minLength: 1,
      maxLength: 4,
      selector: (one) => one.window_seconds,
    })
    .map((limits) => ({ limits })),
);
const limiter = fc.record({ config, cost: fc.integer({ min: 1, max: 4 }) });
const step = fc.record({
  by: fc.nat({ max: 1 }),
  client: fc.constantFrom('a', 'b', 'c'),
  waitMs: fc.oneof(
    fc.constant(0),
    fc.constantFrom(1, 999, 1000, 1001, 60_000, 3_600_000, DAY_MS, 29 * DAY_MS, 30 * DAY_MS),
    fc.integer({ min: 0, max: 3000 }),
    fc.integer({ min: 0, max: 40 * DAY_MS }),
  ),
});
const steps = fc.array(step, { maxLength: 120 });

describe.each(['fixed', 'sliding'] as const)('strategy %s', (strategy) => {
  const isSliding = strategy === 'sliding';

  it('decides as a plain count does: any limits, windows, costs, clients and moments, one or two limiters on a set', () => {
    const two = fc.tuple(limiter, limiter);
    fc.assert(
      fc.property(two, fc.constantFrom(...starts), steps, ([one, other], startMs, requests) => {
        const model = new ExactModel();
        const counters = new Counters();
        const [first, second] = [one, other].map((settings) => limitsOf(settings, isSliding, counters));
        // A plain count of shared windows: each limiter looks at what any of the two counted in a window of that length.
        const isShared = JSON.stringify(spansOf(one.config)) === JSON.stringify(spansOf(other.config));
        let nowMs = startMs;
        for (const { by, client, waitMs } of requests) {
          nowMs += waitMs;
          const [settings, limits] = by === 1 && isShared ? [other, second] : [one, first];
          const expected = model.take(settings.config, isSliding, client, nowMs, settings.cost);
          const standings = limits?.take(client, nowMs) ?? [];
          expect(standings.every((standing) => !standing.isExceeded)).toBe(expected.passes);
          expect(standings.map(({ remaining }) => remaining)).toEqual(expected.remaining);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('has room after the wait that it names, and not a second before', () => {
    fc.assert(
      fc.property(limiter, fc.constantFrom(...starts), steps, (settings, startMs, requests) => {
        const limits = limitsOf(settings, isSliding);
        let nowMs = startMs;
        for (const { client, waitMs } of requests) {
          nowMs += waitMs;
          const exceeded = limits.take(client, nowMs).filter(({ isExceeded }) => isExceeded);
          if (exceeded.length === 0) continue;
          const waitSeconds = Math.max(...exceeded.map(({ resetSeconds }) => resetSeconds));
          if (waitSeconds > 1) {
            const before = limits.peek(client, nowMs + (waitSeconds - 1) * 1000, 0);
            expect(before.some(({ isExceeded }) => isExceeded)).toBe(true);
          }
          nowMs += waitSeconds * 1000;
          expect(limits.peek(client, nowMs, 0).some(({ isExceeded }) => isExceeded)).toBe(false);
        }
      }),
    );
  });

  it('keeps refusing whom it refuses until the wait is over, however many others come', () => {
    const other = fc.record({
      client: fc.nat({ max: 500 }),
      waitMs: fc.nat({ max: 400 }),
      times: fc.integer({ min: 1, max: 4 }),
    });
    const crowd = fc.array(other, { minLength: 100, maxLength: 300 });
    fc.assert(
      fc.property(
        crowd,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 40 }),
        (others, most, countersMax) => {
          const windows = limitWindows({ limit: most, window_seconds: 60 });
          const limits = new RequestLimits({ windows, isSliding, countersMax, onCrowded: () => undefined });
          let nowMs = starts[4] ?? 0;
          for (let sent = 0; sent < most; sent += 1) limits.take('greedy', nowMs);
          const untilMs = nowMs + (limits.take('greedy', nowMs)[0]?.resetSeconds ?? 0) * 1000 - 999;
          for (const { client, waitMs, times } of others) {
            nowMs += waitMs;
            for (let sent = 0; sent < times; sent += 1) limits.take(`c${client}`, nowMs);
            expect(limits.size).toBeLessThanOrEqual(countersMax);
            if (nowMs < untilMs) expect(limits.take('greedy', nowMs)[0]?.isExceeded).toBe(true);
          }
        },
      ),
    );
  });

  it('after what was charged beyond the limit, has room exactly when a plain count has', () => {
    const charges = fc.array(fc.record({ waitMs: fc.nat({ max: 30_000 }), units: fc.nat({ max: 9 }) }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(charges, (requests) => {
        const settings = { config: { limit: 10, window_seconds: 60 }, cost: 1 };
        const limits = limitsOf(settings, isSliding);
        const model = new ExactModel();
        let nowMs = starts[0] ?? 0;
        for (const { waitMs, units } of requests) {
          nowMs += waitMs;
          // The model counts what it lets pass: of what it is asked here, nothing may be counted.
          const { remaining } = model.take(settings.config, isSliding, 'a', nowMs, 1000);
          expect(limits.peek('a', nowMs, 0)[0]).toMatchObject({
            isExceeded: remaining[0] === 0,
            remaining: remaining[0],
          });
          model.charge('a', nowMs, units);
          limits.charge('a', nowMs, units);
        }
      }),
    );
  });
});

function limitsOf(
  settings: { config: LimitForms; cost: number },
  isSliding: boolean,
  counters = new Counters(),
): RequestLimits {
  const { config: forms, cost } = settings;
  return new RequestLimits({ windows: limitWindows(forms), isSliding, cost, counters, onCrowded: () => undefined });
}

function spansOf(forms: LimitForms): readonly string[] {
  return limitWindows(forms).map(({ spanName }) => spanName);
}
