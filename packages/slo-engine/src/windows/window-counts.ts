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

/** What of a counter at an end of the window lies inside, when single events tell. */
export interface CutEvents {
  readonly total: number;
  readonly bad: number;
}

/** What is known of the counter in which the window ends: what of it lies inside, or only that some of it lies outside. */
export type LastEvents = CutEvents | 'cut';

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
  readonly #whole = new CounterSum();
  readonly #cut = new CounterSum();
  readonly #last = new CounterSum();
  #firstMs = Number.POSITIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(plan: WindowPlan) {
    this.#plan = plan;
  }

  /** Adds a counter if the window has it. */
  add(counter: JudgedCounter): void {
    const { cut, last, whole } = this.#plan;
    if (counter.total === 0) return;
    if (holds(cut, counter)) this.#cut.add(counter);
    else if (holds(last, counter)) this.#last.add(counter);
    else if (whole.some((range) => holds(range, counter))) {
      this.#whole.add(counter);
      this.#firstMs = Math.min(this.#firstMs, counter.first * minuteMs);
      this.#lastMs = Math.max(this.#lastMs, (counter.first + counter.grainMinutes) * minuteMs - 1);
    }
  }

  /** There are events in the counter that the window cuts: single events are needed for exact counts. */
  get needsCutEvents(): boolean {
    return this.#cut.total > 0n;
  }

  /**
   * The counts of the window. The counter that the window cuts has only those of its events that lie inside, if somebody knows
   * them; otherwise it is counted as a whole and the bounds say so. A number of bad events that is not known is told as the most that it can be.
   * @param inside the events of the cut counter after `fromMs`; leave it out unless every event of it is known
   * @param last of the counter in which the window ends; leave it out when nothing after `toMs` is counted
   */
  counts(inside?: CutEvents, last?: LastEvents): EventCounts {
    const end = last === undefined ? this.#last.asWhole : this.#last.asCut(last === 'cut' ? undefined : last);
    return boundedCounts([this.#whole.asWhole, this.#cut.asCut(inside), end]);
  }

  /**
   * `undefined` without events.
   * @param inside as for `counts`: a cut counter without events inside is not seen
   * @param last as for `counts`
   */
  observed(inside?: CutEvents, last?: LastEvents): ObservedRange | undefined {
    const { fromMs, toMs, cut, last: lastRange } = this.#plan;
    const hasCut = inside === undefined ? this.#cut.total > 0n : inside.total > 0;
    const hasLast = typeof last === 'object' ? last.total > 0 : this.#last.total > 0n;
    const ends: ObservedRange[] = [{ firstMs: this.#firstMs, lastMs: this.#lastMs }];
    if (hasCut) ends.push({ firstMs: fromMs + 1, lastMs: cut.end * minuteMs - 1 });
    if (hasLast) ends.push({ firstMs: Math.max(lastRange.first * minuteMs, fromMs + 1), lastMs: toMs });
    const firstMs = Math.min(...ends.map((end) => end.firstMs));
    const lastMs = Math.max(...ends.map((end) => end.lastMs));
    return firstMs > lastMs ? undefined : { firstMs, lastMs: Math.min(lastMs, toMs) };
  }
}

/** The least and the most that some counters have of each. */
interface Bounds {
  readonly total: Range;
  readonly bad: Range;
  readonly good: Range;
}

type Range = readonly [least: bigint, most: bigint];

class CounterSum {
  total = 0n;
  #badLeast = 0n;
  #badMost = 0n;

  add(counter: JudgedCounter): void {
    const { least, most } = boundsOf(counter);
    this.total += BigInt(counter.total);
    this.#badLeast += BigInt(least);
    this.#badMost += BigInt(most);
  }

  get asWhole(): Bounds {
    const { total } = this;
    return {
      total: [total, total],
      bad: [this.#badLeast, this.#badMost],
      good: [total - this.#badMost, total - this.#badLeast],
    };
  }

  /** Only a part of it lies inside: this one, or nobody knows which. */
  asCut(inside: CutEvents | undefined): Bounds {
    if (inside === undefined) {
      return { total: [0n, this.total], bad: [0n, this.#badMost], good: [0n, this.total - this.#badLeast] };
    }
    const [total, bad] = [BigInt(inside.total), BigInt(inside.bad)];
    return { total: [total, total], bad: [bad, bad], good: [total - bad, total - bad] };
  }
}

function holds(range: CounterRange, { grainMinutes, first }: JudgedCounter): boolean {
  return range.grainMinutes === grainMinutes && range.first <= first && first < range.end;
}

function boundsOf({ bad, total }: JudgedCounter): BadBounds {
  if (typeof bad === 'number') return { least: Math.min(bad, total), most: Math.min(bad, total) };
  return { least: Math.min(bad.least, total), most: Math.min(bad.most, total) };
}

function boundedCounts(parts: readonly Bounds[]): EventCounts {
  const sum = (name: keyof Bounds): Range =>
    parts.reduce<Range>(([least, most], part) => [least + part[name][0], most + part[name][1]], [0n, 0n]);
  const [total, bad, good] = [sum('total'), sum('bad'), sum('good')];
  const counts = { total_events: total[1], bad_events: bad[1] };
  if (total[0] === total[1] && bad[0] === bad[1]) return counts;
  return { ...counts, total_events_bounds: total, bad_events_bounds: bad, good_events_bounds: good };
}
