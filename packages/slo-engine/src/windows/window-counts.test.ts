import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCounts } from '../event-counts.ts';
import { evaluateObjective } from '../evaluate-objective.ts';
import type { Objective } from '../objective.ts';
import { CounterStore, cutEvents, lastEvents, oracleCounts, type SentEvent } from './counters.test-support.ts';
import { planWindow } from './plan-window.ts';
import { WindowCounts } from './window-counts.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

const availability: Objective = { type: 'availability', target_percent: 99 };
const slow: Objective = { type: 'latency', target_percent: 99, latency_threshold_ms: 0.25 };

/** A window, what was sent and how: late, more than once and in any order. */
interface Story {
  readonly objective: Objective;
  readonly nowMs: number;
  readonly windowMinutes: number;
  readonly grainsMinutes: readonly number[];
  readonly events: readonly SentEvent[];
  /** Indices of events, as they arrive. */
  readonly arrivals: readonly number[];
  readonly exactSinceMinute: number;
}

const windows = fc.oneof(fc.constantFrom(5, 6, 59, 60, 61, 1440, 43_200), fc.integer({ min: 5, max: 43_200 }));
const moments = fc.oneof(
  fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
  fc.nat({ max: 8760 }).map((hour) => Date.UTC(2026, 0, 1) + hour * 3_600_000),
);

const stories: fc.Arbitrary<Story> = fc.tuple(windows, moments).chain(([windowMinutes, nowMs]) => {
  const fromMs = nowMs - windowMinutes * minuteMs;
  // Many events near both ends: that is where windows go wrong. Some after now: clocks may be ahead.
  const near = fc.integer({ min: -90_000, max: 90_000 });
  const times = fc.oneof(
    near.map((ms) => fromMs + ms),
    near.map((ms) => nowMs + ms),
    fc.constantFrom(fromMs - 1, fromMs, fromMs + 1, nowMs, nowMs + 1),
    fc.integer({ min: fromMs - dayMs, max: nowMs }),
  );
  const event = fc.record({
    atMs: times,
    status: fc.constantFrom(200, 404, 499, 500, 503, 599, 600),
    latencyUs: fc.oneof(fc.constantFrom(0, 249, 250, 251, 255, 256, 2 ** 40), fc.nat({ max: 2000 })),
  });
  const events = fc.array(event, { maxLength: 60 }).map((all) => all.map((one, id) => ({ ...one, id })));
  return events.chain((all) =>
    fc.record({
      objective: fc.constantFrom(availability, slow),
      nowMs: fc.constant(nowMs),
      windowMinutes: fc.constant(windowMinutes),
      grainsMinutes: fc.constantFrom([60, 1], [1], [1440, 60, 5, 1], [60, 15]),
      events: fc.constant(all),
      // All of them at least once, in any order, some of them again.
      arrivals: fc
        .tuple(
          fc.shuffledSubarray(
            all.map((_, index) => index),
            { minLength: all.length },
          ),
          fc.array(fc.nat({ max: Math.max(0, all.length - 1) }), { maxLength: 10 }),
        )
        .map(([first, again]) => (all.length === 0 ? [] : [...first, ...again])),
      exactSinceMinute: fc.constantFrom(0, Math.floor(fromMs / minuteMs) + Math.floor(windowMinutes / 2), 2 ** 40),
    }),
  );
});

function windowOf(story: Story, arrivals: readonly number[] = story.arrivals): WindowCounts {
  const store = new CounterStore(story.objective, story.grainsMinutes, story.exactSinceMinute);
  for (const index of arrivals) {
    const event = story.events[index];
    if (event !== undefined) store.take(event);
  }
  const counts = new WindowCounts(planWindow(story));
  for (const counter of store.judged()) counts.add(counter);
  return counts;
}

describe('WindowCounts', () => {
  it('counts what single events say, once the cut counter is split and all was counted against the threshold', () => {
    fc.assert(
      fc.property(stories, (drawn) => {
        const story = { ...drawn, exactSinceMinute: 0 };
        const plan = planWindow(story);
        const { objective, events } = story;
        const ends = [cutEvents(objective, events, plan), lastEvents(objective, events, plan)] as const;
        const counts = readCounts(windowOf(story).counts(...ends));
        const truth = oracleCounts(story.objective, story.events, (atMs) => atMs > plan.fromMs && atMs <= plan.toMs);
        expect({ total: counts.total, bad: counts.bad, exact: counts.exact }).toEqual({ ...truth, exact: true });
      }),
      { numRuns: 600 },
    );
  });

  it('has bounds that contain the truth, and is exact only when it is the truth', () => {
    fc.assert(
      fc.property(stories, fc.boolean(), fc.boolean(), (story, isSplit, isEndSplit) => {
        const plan = planWindow(story);
        const inside = isSplit ? cutEvents(story.objective, story.events, plan) : undefined;
        const last = isEndSplit ? lastEvents(story.objective, story.events, plan) : 'cut';
        const counts = readCounts(windowOf(story).counts(inside, last));
        const truth = oracleCounts(story.objective, story.events, (atMs) => atMs > plan.fromMs && atMs <= plan.toMs);
        const good = truth.total - truth.bad;
        for (const [value, [least, most]] of [
          [truth.total, counts.totalBounds],
          [truth.bad, counts.badBounds],
          [good, counts.goodBounds],
        ] as const) {
          expect(least <= value && value <= most).toBe(true);
        }
        if (counts.exact) expect([counts.total, counts.bad]).toEqual([truth.total, truth.bad]);
        if (!isSplit && windowOf(story).needsCutEvents) expect(counts.exact).toBe(false);
      }),
      { numRuns: 600 },
    );
  });

  it('does not depend on the order of arrival, on doubles or on how it is cut into batches', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const plain = windowOf(
          story,
          story.events.map((_, index) => index),
        );
        expect(windowOf(story).counts()).toEqual(plain.counts());
        expect(windowOf(story).observed()).toEqual(plain.observed());
      }),
      { numRuns: 200 },
    );
  });

  it('does not change when a bad event moves inside the window', () => {
    const places = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(stories, places, (story, [before, after]) => {
        const fromMs = story.nowMs - story.windowMinutes * minuteMs;
        const at = (share: number): number => fromMs + 1 + Math.floor(share * (story.nowMs - fromMs - 1));
        const countsWith = (atMs: number) => {
          const events = [...story.events, { id: -1, atMs, status: 500, latencyUs: 300 }];
          const moved = { ...story, events, exactSinceMinute: 0 };
          const plan = planWindow(story);
          const ends = [cutEvents(story.objective, events, plan), lastEvents(story.objective, events, plan)] as const;
          return windowOf(moved, [...story.arrivals, events.length - 1]).counts(...ends);
        };
        expect(countsWith(at(after))).toEqual(countsWith(at(before)));
      }),
      { numRuns: 200 },
    );
  });

  it('observes the first and the last events to the width of their counters', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const plan = planWindow(story);
        const { objective, events } = story;
        const inside = events.map(({ atMs }) => atMs).filter((atMs) => atMs > plan.fromMs && atMs <= plan.toMs);
        const observed = windowOf(story).observed(
          cutEvents(objective, events, plan),
          lastEvents(objective, events, plan),
        );
        if (inside.length === 0) {
          expect(observed).toBeUndefined();
          return;
        }
        const widest = Number(story.grainsMinutes[0]) * minuteMs;
        const [first, last] = [Math.min(...inside), Math.max(...inside)];
        expect(observed?.firstMs).toBeLessThanOrEqual(first);
        expect(observed?.firstMs).toBeGreaterThan(Math.max(plan.fromMs, first - widest));
        expect(observed?.lastMs).toBeGreaterThanOrEqual(last);
        expect(observed?.lastMs).toBeLessThanOrEqual(plan.toMs);
      }),
      { numRuns: 200 },
    );
  });

  it('counts the cut minute whole where nobody can split it, and judges by the worst', () => {
    const nowMs = Date.UTC(2026, 0, 1, 12, 0, 30);
    const plan = planWindow({ nowMs, windowMinutes: 5 });
    const counts = new WindowCounts(plan);
    counts.add({ grainMinutes: 1, first: plan.cut.first, total: 10, bad: 1 });
    counts.add({ grainMinutes: 1, first: plan.cut.first + 1, total: 90, bad: { least: 0, most: 1 } });
    counts.add({ grainMinutes: 60, first: plan.cut.first - (plan.cut.first % 60), total: 1e6, bad: 1e6 });
    expect(counts.needsCutEvents).toBe(true);
    expect(counts.counts()).toEqual({
      total_events: 100n,
      bad_events: 2n,
      total_events_bounds: [90n, 100n],
      bad_events_bounds: [0n, 2n],
      good_events_bounds: [89n, 99n],
    });
    const slo = {
      objective: slow,
      evaluation_window_minutes: 5,
      alert_policy: { enabled: true, warning_burn_rate: 2.1, critical_burn_rate: 4 },
      enabled: true,
    };
    expect(evaluateObjective(slo, counts.counts(), { nowMs }).state).toBe('warning');
    expect(evaluateObjective(slo, counts.counts({ total: 9, bad: 0 }), { nowMs })).toMatchObject({
      state: 'healthy',
      total_events: 99,
      bad_events_bounds: [0, 1],
    });
  });
});
