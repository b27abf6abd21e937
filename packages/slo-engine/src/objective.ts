import { compareRationals, type Decimal, floorRational, parseDecimal, type Rational } from './arithmetic/rational.ts';

/** What share of the events has to be good, and which ones are. Source: spec, SLO object. */
export interface Objective {
  /** `availability`: statuses 500 to 599 are bad. `latency`: what took longer than the threshold is bad. */
  readonly type: 'availability' | 'latency';
  /** Above 0, below 100. */
  readonly target_percent: Decimal;
  /** Milliseconds, above 0. Objectives of latency have one, others have none. */
  readonly latency_threshold_ms?: Decimal | undefined;
}

/** From which burn rates on an alert is raised. Source: spec, SLO object. */
export interface AlertPolicy {
  readonly enabled: boolean;
  /** Above 0. */
  readonly warning_burn_rate: Decimal;
  /** Above the warning's. */
  readonly critical_burn_rate: Decimal;
}

/** What an evaluation needs to know of an SLO. Further fields do no harm. */
export interface SloDefinition {
  readonly objective: Objective;
  /** Whole minutes, 5 to 43,200. */
  readonly evaluation_window_minutes: number;
  readonly alert_policy: AlertPolicy;
  readonly enabled: boolean;
}

/** An SLO as somebody gives it: what has a default may be left out. Source: spec, SLO object. */
export interface GivenSlo {
  readonly objective: Objective;
  /** 10,080 by default: seven days. */
  readonly evaluation_window_minutes?: number | undefined;
  /** On by default, with rates of 1 and 2. */
  readonly alert_policy?: { readonly [Field in keyof AlertPolicy]?: AlertPolicy[Field] | undefined } | undefined;
  /** On by default. */
  readonly enabled?: boolean | undefined;
}

/** The definition with all defaults. */
export function definitionOf(slo: GivenSlo): SloDefinition {
  const { enabled = true, warning_burn_rate: warning = 1, critical_burn_rate: critical = 2 } = slo.alert_policy ?? {};
  return {
    objective: slo.objective,
    evaluation_window_minutes: slo.evaluation_window_minutes ?? 10_080,
    alert_policy: { enabled, warning_burn_rate: warning, critical_burn_rate: critical },
    enabled: slo.enabled ?? true,
  };
}

/** An answered request, as objectives see it. One of the two latencies is enough; the whole microseconds count first. */
export interface ObservedEvent {
  readonly status: number;
  readonly latency_ms?: Decimal | undefined;
  /** Whole microseconds. */
  readonly latency_us?: number | undefined;
}

/** The longest threshold in whole microseconds. No latency is longer than what a number counts exactly. */
const thresholdUsMax = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Whether an event uses up error budget. A status of 500 to 599 does for availability; 4xx never does. For latency only
 * what is strictly longer than the threshold does, compared as exact decimals. Source: spec, SLO object.
 * @throws RangeError for an objective of latency without a threshold, or an event without a latency
 */
export function isBadEvent(objective: Objective, event: ObservedEvent): boolean {
  if (objective.type === 'availability') return event.status >= 500 && event.status <= 599;
  if (event.latency_us !== undefined) return event.latency_us > latencyThresholdUs(objective);
  if (event.latency_ms === undefined) throw new RangeError('An event without a latency meets no objective of latency.');
  return compareRationals(parseDecimal(event.latency_ms), thresholdMs(objective)) > 0;
}

/**
 * The threshold as counters know it: whole microseconds. What takes whole microseconds is longer than the threshold
 * exactly when it is longer than this.
 * @returns 0 or more, at most 2^53 − 1
 * @throws RangeError for an objective without a threshold
 */
export function latencyThresholdUs(objective: Objective): number {
  const { numerator, denominator } = thresholdMs(objective);
  const us = floorRational({ numerator: numerator * 1000n, denominator });
  return Number(us > thresholdUsMax ? thresholdUsMax : us);
}

function thresholdMs({ latency_threshold_ms: threshold }: Objective): Rational {
  if (threshold === undefined) throw new RangeError('An objective of latency needs a latency_threshold_ms.');
  return parseDecimal(threshold);
}
