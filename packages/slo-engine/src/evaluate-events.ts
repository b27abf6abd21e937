import type { EventCounts } from './event-counts.ts';
import { evaluateObjective } from './evaluate-objective.ts';
import type { Evaluation } from './evaluation.ts';
import { type Moment, msOf } from './moment.ts';
import { definitionOf, type GivenSlo, isBadEvent, type ObservedEvent } from './objective.ts';
import { type BurnRateWindow, burnRateWindowMinutes, burnRateWindows } from './windows/burn-rate-windows.ts';

/** An event and when it came, milliseconds since 1970. */
export interface TimedEvent extends ObservedEvent {
  readonly atMs: number;
}

const minuteMs = 60_000;

/**
 * Judges single events, in any order; those outside the windows are passed over. It keeps sums only, so the events may come from a
 * generator and be many. Each event counts as often as it comes.
 * @throws RangeError for a definition or an event outside its ranges
 */
export function evaluateEvents(given: GivenSlo, events: Iterable<TimedEvent>, moment: Moment): Evaluation {
  const slo = definitionOf(given);
  const nowMs = msOf(moment);
  const whole = new EventSum(slo.evaluation_window_minutes);
  const recent = burnRateWindows.map((window) => [window, new EventSum(burnRateWindowMinutes[window])] as const);
  const sums = [whole, ...recent.map(([, sum]) => sum)];
  const longestMs = Math.max(...sums.map(({ windowMs }) => windowMs));
  for (const event of events) {
    const ageMs = nowMs - event.atMs;
    if (ageMs < 0 || ageMs >= longestMs) continue;
    const isBad = isBadEvent(slo.objective, event);
    for (const sum of sums) sum.add(event.atMs, ageMs, isBad);
  }
  return evaluateObjective(slo, whole.counts, {
    nowMs,
    source: 'events',
    observed: { firstMs: whole.firstMs, lastMs: whole.lastMs },
    recent: Object.fromEntries(recent.map(([window, { counts }]) => [window, counts])) as Record<
      BurnRateWindow,
      EventCounts
    >,
  });
}

/** The events of the last minutes. */
class EventSum {
  readonly windowMs: number;
  firstMs: number = Number.POSITIVE_INFINITY;
  lastMs: number = Number.NEGATIVE_INFINITY;
  #total = 0;
  #bad = 0;

  constructor(windowMinutes: number) {
    this.windowMs = windowMinutes * minuteMs;
  }

  get counts(): EventCounts {
    return { total_events: this.#total, bad_events: this.#bad };
  }

  add(atMs: number, ageMs: number, isBad: boolean): void {
    if (ageMs >= this.windowMs) return;
    this.#total += 1;
    if (isBad) this.#bad += 1;
    this.firstMs = Math.min(this.firstMs, atMs);
    this.lastMs = Math.max(this.lastMs, atMs);
  }
}
