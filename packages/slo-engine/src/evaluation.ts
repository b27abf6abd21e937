import type { BurnRateWindow } from './windows/burn-rate-windows.ts';

/** Source: spec, SLO evaluation and alert state. */
export type SloState = 'healthy' | 'warning' | 'critical' | 'no_data';

/** A moment, ISO 8601 in UTC with milliseconds. */
export type Timestamp = string;

/**
 * What an evaluation found, as it is answered and stored. Numbers are rounded once, from exact fractions; the state is
 * decided by the fractions. Source: wire, SLOs.
 */
export interface Evaluation {
  readonly state: SloState;
  /** Bad events by the allowed ones. `null` without events. */
  readonly burn_rate: number | null;
  readonly total_events: number;
  readonly bad_events: number;
  readonly good_events: number;
  /** `total_events * (100 − target_percent) / 100`. */
  readonly allowed_bad_events: number;
  /** 100 when nothing is used up, 0 when all is, below 0 when more is: −100 is twice the budget. `null` without events. */
  readonly error_budget_remaining_percent: number | null;
  /** Events after `from`, until `to` and at it. */
  readonly window: { readonly from: Timestamp; readonly to: Timestamp };
  /** When the first and the last events came, as closely as the source knows. `null` without events. */
  readonly observed: { readonly first: Timestamp | null; readonly last: Timestamp | null };
  /** The share of the window from which observations can exist, 0 to 100. See `coveragePercent`. */
  readonly coverage_percent: number;
  /** `false` when the counts are bounds; the bounds below say how far they are open. */
  readonly exact: boolean;
  readonly source: string;
  /** Observations of the objective's scope that came too late to be counted. */
  readonly dropped_late: number;
  /** Burn rates of the last minutes, hours and days. `null` where there are no events. */
  readonly burn_rates: Readonly<Record<BurnRateWindow, number | null>>;
  readonly evaluated_at: Timestamp;
  /** Only when `exact` is false. */
  readonly total_events_bounds?: readonly [number, number];
  /** Only when `exact` is false. */
  readonly bad_events_bounds?: readonly [number, number];
  /** Only when `exact` is false. The state is the worst that these allow. */
  readonly burn_rate_bounds?: readonly [number, number];
}
