import { compareRationals, type Decimal, parseDecimal, type Rational } from './arithmetic/rational.ts';
import type { SloDefinition } from './objective.ts';

/** What is wrong with a field of a definition. */
export interface SloProblem {
  /** Such as `objective.target_percent`. */
  readonly field: string;
  readonly message: string;
}

/** Lengths of windows, in minutes. Source: spec, Limits. */
export const evaluationWindowMinutes = { min: 5, max: 43_200 } as const;

const zero: Rational = { numerator: 0n, denominator: 1n };
const hundred: Rational = { numerator: 100n, denominator: 1n };

/** Checks what an SLO's definition asks for, in exact numbers. Source: spec, SLO object. @returns nothing when all is well */
export function checkSlo({
  objective,
  alert_policy: policy,
  evaluation_window_minutes: window,
}: SloDefinition): SloProblem[] {
  const problems: SloProblem[] = [];
  const check = (field: string, isRight: boolean, message: string): void => {
    if (!isRight) problems.push({ field, message });
  };
  const target = decimalOf(objective.target_percent);
  const isShare = isAbove(target, zero) && isAbove(hundred, target);
  check('objective.target_percent', isShare, 'must be above 0 and below 100');
  const threshold = objective.latency_threshold_ms;
  const field = 'objective.latency_threshold_ms';
  if (objective.type === 'latency') check(field, isAbove(decimalOf(threshold), zero), 'must be above 0');
  else check(field, threshold === undefined, 'is for objectives of latency only');
  const { min, max } = evaluationWindowMinutes;
  const isWindow = Number.isInteger(window) && window >= min && window <= max;
  check('evaluation_window_minutes', isWindow, `must be a whole number from ${min} to ${max}`);
  const warning = decimalOf(policy.warning_burn_rate);
  const critical = decimalOf(policy.critical_burn_rate);
  check('alert_policy.warning_burn_rate', isAbove(warning, zero), 'must be above 0');
  check('alert_policy.critical_burn_rate', isAbove(critical, warning ?? zero), 'must be above the warning_burn_rate');
  return problems;
}

function isAbove(left: Rational | undefined, right: Rational | undefined): boolean {
  return left !== undefined && right !== undefined && compareRationals(left, right) > 0;
}

function decimalOf(decimal: Decimal | undefined): Rational | undefined {
  try {
    return decimal === undefined ? undefined : parseDecimal(decimal);
  } catch {
    return undefined;
  }
}
