import { type EventCounts, WindowCounts, type WindowPlan } from '@portcullis/slo-engine';
import type { CutMinutes, CutQuestion } from './slo-cut-events.ts';
import type { SloCounter } from './slo-sums.ts';

/** Whose requests are judged, and how. */
export interface ScopedThreshold {
  /** Empty for all gateways of the tenant. */
  readonly gatewayId: string;
  /** Requests that took longer are bad; `null`: those with a status of 500 to 599. */
  readonly thresholdUs: number | null;
}

/** A window with its counters, and what they say of the minutes at both of its ends. */
export class CountedWindow {
  readonly #plan: WindowPlan;
  readonly #scope: ScopedThreshold;
  readonly #counts: WindowCounts;
  readonly #cut: EndMinute;
  readonly #last: EndMinute;
  #first = Number.POSITIVE_INFINITY;
  #end = Number.NEGATIVE_INFINITY;

  constructor(plan: WindowPlan, scope: ScopedThreshold) {
    this.#plan = plan;
    this.#scope = scope;
    this.#counts = new WindowCounts(plan);
    this.#cut = new EndMinute(plan.cut.first);
    this.#last = new EndMinute(plan.last.first);
  }

  /** Adds a counter if the window has it. */
  add(counter: SloCounter): void {
    const { cut, last, whole } = this.#plan;
    this.#counts.add(counter);
    const isIn = ({ grainMinutes, first, end }: WindowPlan['cut']): boolean =>
      grainMinutes === counter.grainMinutes && first <= counter.first && counter.first < end;
    if (isIn(cut)) this.#cut.add(counter);
    else if (isIn(last)) this.#last.add(counter);
    else if (!whole.some(isIn)) return;
    this.#first = Math.min(this.#first, counter.observed.first);
    this.#end = Math.max(this.#end, counter.observed.end);
  }

  /** Requests of the minute that the window cuts. */
  get cutTotal(): number {
    return this.#cut.total;
  }

  /** Requests of the minute in which it ends. */
  get lastTotal(): number {
    return this.#last.total;
  }

  counts(cut: CutMinutes): EventCounts {
    return this.#counts.counts(cut.inside(this.#question(this.#cut)), cut.last(this.#question(this.#last)));
  }

  /** When the first and the last events came, to the width of a counter. */
  get observed(): { readonly firstMs: number; readonly lastMs: number } | undefined {
    if (this.#first > this.#end) return undefined;
    const { fromMs, toMs } = this.#plan;
    return {
      firstMs: Math.max(this.#first * 60_000, fromMs + 1),
      lastMs: Math.min(this.#end * 60_000 - 1, toMs),
    };
  }

  #question({ minute, bad }: EndMinute): CutQuestion {
    return { ...this.#scope, minute, bad };
  }
}

/** A minute at an end of the window, as counters know it. */
class EndMinute {
  readonly minute: number;
  total = 0;
  /** `undefined` when counters bound it only. */
  bad: number | undefined = 0;

  constructor(minute: number) {
    this.minute = minute;
  }

  add({ total, bad }: SloCounter): void {
    this.total += total;
    this.bad = typeof bad === 'number' && this.bad !== undefined ? this.bad + bad : undefined;
  }
}
