import { nearestNumber } from './arithmetic/nearest-number.ts';
import { allowedBadEvents, burnRateOf, stateOf } from './burn-rate.ts';
import { type BoundedCounts, type EventCounts, readCounts } from './event-counts.ts';
import type { Evaluation, Timestamp } from './evaluation.ts';
import { type Moment, msOf } from './moment.ts';
import { definitionOf, type GivenSlo, type Objective } from './objective.ts';
import { type BurnRateWindow, burnRateWindows } from './windows/burn-rate-windows.ts';

/** When and from what an evaluation is made. */
export type EvaluationContext = Moment & EvaluationFacts;

/** What is known beside the counts. */
export interface EvaluationFacts {
  /** Where the counts come from, such as `counters`. */
  readonly source?: string | undefined;
  /** When the first and the last events came, milliseconds since 1970. */
  readonly observed?: { readonly firstMs: number; readonly lastMs: number } | undefined;
  /** 0 to 100; 100 by default. See `coveragePercent`. */
  readonly coveragePercent?: number | undefined;
  readonly droppedLate?: number | undefined;
  /** Counts of the last minutes, hours and days. What is missing is told as `null`. */
  readonly recent?: Readonly<Partial<Record<BurnRateWindow, EventCounts>>> | undefined;
}

const minuteMs = 60_000;

/**
 * Judges the counts of an SLO's window.
 * Source: wire contract, Library entry points.
 * @throws RangeError for a definition, counts or a moment outside their ranges
 */
export function evaluateObjective(given: GivenSlo, counts: EventCounts, context: EvaluationContext): Evaluation {
  const slo = definitionOf(given);
  const bounded = readCounts(counts);
  const { total, bad } = bounded;
  const burnRate = burnRateOf(slo.objective, bad, total);
  const nowMs = msOf(context);
  const { observed } = context;
  const isEmpty = total === 0n || observed === undefined;
  return {
    state: stateOf(slo, bounded),
    burn_rate: burnRate === undefined ? null : nearestNumber(burnRate),
    total_events: Number(total),
    bad_events: Number(bad),
    good_events: Number(total - bad),
    allowed_bad_events: nearestNumber(allowedBadEvents(slo.objective, total)),
    error_budget_remaining_percent:
      burnRate === undefined
        ? null
        : nearestNumber({
            numerator: (burnRate.denominator - burnRate.numerator) * 100n,
            denominator: burnRate.denominator,
          }),
    window: { from: timestampOf(nowMs - slo.evaluation_window_minutes * minuteMs), to: timestampOf(nowMs) },
    observed: isEmpty
      ? { first: null, last: null }
      : { first: timestampOf(observed.firstMs), last: timestampOf(observed.lastMs) },
    coverage_percent: context.coveragePercent ?? 100,
    exact: bounded.exact,
    source: context.source ?? 'events',
    dropped_late: context.droppedLate ?? 0,
    burn_rates: recentBurnRates(slo.objective, context.recent ?? {}),
    evaluated_at: timestampOf(nowMs),
    ...(bounded.exact ? {} : boundsOf(slo.objective, bounded)),
  };
}

function recentBurnRates(
  objective: Objective,
  recent: Readonly<Partial<Record<BurnRateWindow, EventCounts>>>,
): Record<BurnRateWindow, number | null> {
  const rateOf = (window: BurnRateWindow): number | null => {
    const counts = recent[window];
    if (counts === undefined) return null;
    const { bad, total } = readCounts(counts);
    const rate = burnRateOf(objective, bad, total);
    return rate === undefined ? null : nearestNumber(rate);
  };
  return Object.fromEntries(burnRateWindows.map((window) => [window, rateOf(window)])) as Record<
    BurnRateWindow,
    number | null
  >;
}

function boundsOf(
  objective: Objective,
  { totalBounds, badBounds, goodBounds }: BoundedCounts,
): Pick<Evaluation, 'total_events_bounds' | 'bad_events_bounds' | 'burn_rate_bounds'> {
  const rateAt = (bad: bigint, good: bigint): number => {
    const rate = burnRateOf(objective, bad, bad + good);
    return rate === undefined ? 0 : nearestNumber(rate);
  };
  return {
    total_events_bounds: [Number(totalBounds[0]), Number(totalBounds[1])],
    bad_events_bounds: [Number(badBounds[0]), Number(badBounds[1])],
    burn_rate_bounds: [rateAt(badBounds[0], goodBounds[1]), rateAt(badBounds[1], goodBounds[0])],
  };
}

/** A moment as it is written. */
export function timestampOf(ms: number): Timestamp {
  return new Date(ms).toISOString();
}
