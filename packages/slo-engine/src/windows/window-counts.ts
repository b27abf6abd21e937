import type { EventCounts } from '../event-counts.ts';
import type { BadBounds } from './counter-bounds.ts';
import type { CounterRange, WindowPlan } from './plan-window.ts';

/** One stored counter, judged by an objective. */
export interface JudgedCounter {
  readonly grainMinutes: number;
  /** The first minute that it counts, since 1970. */
  readonly first: number;
  readonly total: number;
  /** The bad ones: a number when it is known, otherwise bounds. */
  readonly bad: number | BadBounds;
}

/** What of the counter that the window cuts lies inside, when single events tell. */
export interface CutEvents {
  readonly total: number;
  readonly bad: number;
}

/** When the first and the last events of a window came, as closely as counters tell: to the width of the counter. */
export interface ObservedRange {
  readonly firstMs: number;
  readonly lastMs: number;
}

const minuteMs = 60_000;

/**
 * Adds up the counters of a window. They may come in any order and from several gateways, each counter once; those that the plan
 * does not have are passed over, so that the rows of a long window can be shown to shorter ones too. It keeps sums only.
 */
export class WindowCounts {
  readonly #plan: WindowPlan;
  #total = 0n;
  #badLeast = 0n;
  #badMost = 0n;
  #cutTotal = 0n;
  #cutLeast = 0n;
  #cutMost = 0n;
  #firstMs = Number.POSITIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(plan: WindowPlan) {
    this.#plan = plan;
  }

  /** Adds a counter if the window has it. */
  add(counter: JudgedCounter): void {
    const { cut, whole } = this.#plan;
    if (counter.total === 0) return;
    if (holds(cut, counter)) this.#addCut(counter);
    else if (whole.some((range) => holds(range, counter))) this.#addWhole(counter);
  }

  /** There are events in the counter that the window cuts: single events are needed for exact counts. */
  get needsCutEvents(): boolean {
    return this.#cutTotal > 0n;
  }

  /**
   * The counts of the window. The counter that the window cuts has only those of its events that lie inside, if somebody knows
   * them; otherwise it is counted as a whole and the bounds say so. A number of bad events that is not known is told as the most that it can be.
   * @param inside the events of the cut counter after `fromMs`; leave it out unless every event of it is known
   */
  counts(inside?: CutEvents): EventCounts {
    const cut = inside === undefined ? undefined : BigInt(inside.total);
    const cutBad = BigInt(inside?.bad ?? 0);
    if (cut !== undefined) {
      return boundedCounts({
        total: this.#total + cut,
        totalLeast: this.#total + cut,
        badLeast: this.#badLeast + cutBad,
        badMost: this.#badMost + cutBad,
        goodLeast: this.#total - this.#badMost + cut - cutBad,
        goodMost: this.#total - this.#badLeast + cut - cutBad,
      });
    }
    return boundedCounts({
      total: this.#total + this.#cutTotal,
      totalLeast: this.#total,
      badLeast: this.#badLeast,
      badMost: this.#badMost + this.#cutMost,
      goodLeast: this.#total - this.#badMost,
      goodMost: this.#total - this.#badLeast + this.#cutTotal - this.#cutLeast,
    });
  }

  /**
   * `undefined` without events.
   * @param inside as for `counts`: a cut counter without events inside is not seen
   */
  observed(inside?: CutEvents): ObservedRange | undefined {
    const { fromMs, toMs, cut } = this.#plan;
    const hasCut = inside === undefined ? this.#cutTotal > 0n : inside.total > 0;
    const firstMs = hasCut ? fromMs + 1 : this.#firstMs;
    const lastMs = hasCut ? Math.max(cut.end * minuteMs - 1, this.#lastMs) : this.#lastMs;
    return firstMs > lastMs ? undefined : { firstMs, lastMs: Math.min(lastMs, toMs) };
  }

  #addCut(counter: JudgedCounter): void {
    const { least, most } = boundsOf(counter);
    this.#cutTotal += BigInt(counter.total);
    this.#cutLeast += BigInt(least);
    this.#cutMost += BigInt(most);
  }

  #addWhole(counter: JudgedCounter): void {
    const { least, most } = boundsOf(counter);
    this.#total += BigInt(counter.total);
    this.#badLeast += BigInt(least);
    this.#badMost += BigInt(most);
    this.#firstMs = Math.min(this.#firstMs, counter.first * minuteMs);
    this.#lastMs = Math.max(this.#lastMs, (counter.first + counter.grainMinutes) * minuteMs - 1);
  }
}

function holds(range: CounterRange, { grainMinutes, first }: JudgedCounter): boolean {
  return range.grainMinutes === grainMinutes && range.first <= first && first < range.end;
}

function boundsOf({ bad, total }: JudgedCounter): BadBounds {
  if (typeof bad === 'number') return { least: Math.min(bad, total), most: Math.min(bad, total) };
  return { least: Math.min(bad.least, total), most: Math.min(bad.most, total) };
}

interface Bounds {
  readonly total: bigint;
  readonly totalLeast: bigint;
  readonly badLeast: bigint;
  readonly badMost: bigint;
  readonly goodLeast: bigint;
  readonly goodMost: bigint;
}

function boundedCounts({ total, totalLeast, badLeast, badMost, goodLeast, goodMost }: Bounds): EventCounts {
  const counts = { total_events: total, bad_events: badMost };
  if (totalLeast === total && badLeast === badMost) return counts;
  return {
    ...counts,
    total_events_bounds: [totalLeast, total],
    bad_events_bounds: [badLeast, badMost],
    good_events_bounds: [goodLeast, goodMost],
  };
}
