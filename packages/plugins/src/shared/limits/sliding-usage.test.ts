import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MomentBudget } from './moment-budget.ts';
import { FINE_PARTS, MOMENTS_PER_USAGE_MAX, ROUGH_PARTS, SlidingUsage } from './sliding-usage.ts';

const HOUR_MS = 3_600_000;

/** All that was let through, looked through from where it may still count. */
class Passed {
  readonly #atMs: number[] = [];
  readonly #from = new Map<number, number>();

  add(atMs: number): void {
    this.#atMs.push(atMs);
  }

  /** How many within a time that ends now. Asked with moments that never go back. */
  within(lengthMs: number, nowMs: number): number {
    let from = this.#from.get(lengthMs) ?? 0;
    while (from < this.#atMs.length && (this.#atMs[from] as number) <= nowMs - lengthMs) from += 1;
    this.#from.set(lengthMs, from);
    return this.#atMs.length - from;
  }
}

/** Sends requests and gives the moments at which the decision was wrong, with room that may come back late by a time. */
function wrongDecisions(usage: SlidingUsage, limit: number, gapsMs: Iterable<number>, lateMs: number): number[] {
  const passed = new Passed();
  const wrong: number[] = [];
  let nowMs = 1_800_000_000_000;
  for (const gapMs of gapsMs) {
    nowMs += gapMs;
    const passes = usage.used(nowMs) < limit;
    const mustRefuse = passed.within(HOUR_MS, nowMs) >= limit;
    const mayRefuse = passed.within(HOUR_MS + lateMs, nowMs) >= limit;
    if (passes ? mustRefuse : !mayRefuse) wrong.push(nowMs);
    if (!passes) continue;
    passed.add(nowMs);
    usage.count(nowMs, 1);
  }
  return wrong;
}

function* gaps(count: number, gapOf: (index: number) => number): Generator<number> {
  for (let index = 0; index < count; index += 1) yield gapOf(index);
}

const waits = fc.array(fc.oneof(fc.constant(0), fc.nat({ max: 60_000 })), { minLength: 300, maxLength: 900 });

describe('SlidingUsage', () => {
  it('is exact beyond what it keeps when memory is scarce', () => {
    fc.assert(
      fc.property(waits, fc.integer({ min: 1, max: 500 }), (sent, limit) => {
        expect(wrongDecisions(new SlidingUsage(HOUR_MS, new MomentBudget()), limit, sent, 0)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('is exact up to its bound', () => {
    const usage = new SlidingUsage(HOUR_MS, new MomentBudget());
    const sent = gaps(3 * MOMENTS_PER_USAGE_MAX, (index) => (index % 1000 === 0 ? 20_000 : index % 40));
    expect(wrongDecisions(usage, MOMENTS_PER_USAGE_MAX, sent, 0)).toEqual([]);
  });

  it('beyond its bound never lets too many pass, and is late by less than 1/8192 of the window', () => {
    const budget = new MomentBudget();
    const usage = new SlidingUsage(HOUR_MS, budget);
    const sent = gaps(400_000, (index) => (index % 50_000 === 0 ? 600_000 : 1 + (index % 30)));
    expect(wrongDecisions(usage, 2 * MOMENTS_PER_USAGE_MAX, sent, HOUR_MS / FINE_PARTS)).toEqual([]);
  });

  it('without any budget never lets too many pass, and is late by less than 1/32 of the window', () => {
    fc.assert(
      fc.property(waits, fc.integer({ min: 129, max: 500 }), (sent, limit) => {
        const usage = new SlidingUsage(HOUR_MS, new MomentBudget(0));
        expect(wrongDecisions(usage, limit, sent, HOUR_MS / ROUGH_PARTS)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ['its own bound', new MomentBudget(), MOMENTS_PER_USAGE_MAX],
    ['a budget', new MomentBudget(1000), 1000],
    ['no budget', new MomentBudget(0), 2 * ROUGH_PARTS],
  ])('holds no more moments than %s lets it, and gives them back', (_name, budget, momentsMax) => {
    let held = 0;
    let heldMost = 0;
    const spied = new MomentBudget(0);
    const watched = Object.assign(Object.create(spied) as MomentBudget, {
      take: (moments: number) => {
        held += moments;
        heldMost = Math.max(heldMost, held);
        budget.take(moments);
      },
    });
    Object.defineProperty(watched, 'isSpent', { get: () => budget.isSpent });
    const usage = new SlidingUsage(100_000, watched);
    for (let nowMs = 1; nowMs <= 90_000; nowMs += 1) usage.count(nowMs, 3);
    expect(heldMost).toBeLessThanOrEqual(momentsMax);
    expect(usage.used(90_000)).toBe(270_000);
    expect(usage.isIdle(190_000)).toBe(true);
    expect(held).toBe(0);
    usage.count(190_001, 1);
    usage.drop();
    expect(held).toBe(0);
  });

  it('names the wait until enough is over, whatever each moment weighs', () => {
    const charges = fc.array(fc.tuple(fc.nat({ max: 2000 }), fc.integer({ min: 1, max: 50 })), {
      minLength: 1,
      maxLength: 80,
    });
    fc.assert(
      fc.property(charges, fc.nat({ max: 100 }), (counted, usedMax) => {
        const usage = new SlidingUsage(60_000, new MomentBudget());
        let nowMs = 1_000_000;
        for (const [gapMs, units] of counted) usage.count((nowMs += gapMs), units);
        fc.pre(usage.used(nowMs) > usedMax);
        const overAt = nowMs + usage.waitMs(nowMs, usedMax);
        expect(usage.used(overAt - 1)).toBeGreaterThan(usedMax);
        expect(usage.used(overAt)).toBeLessThanOrEqual(usedMax);
      }),
    );
  });
});
