import { parseDecimal, type Rational } from './arithmetic/rational.ts';
import type { BoundedCounts } from './event-counts.ts';
import type { SloState } from './evaluation.ts';
import type { AlertPolicy, Objective, SloDefinition } from './objective.ts';

const hundred = 100n;

/**
 * How many times as fast as allowed the error budget is used: `bad / (total * (100 − target_percent) / 100)`.
 * Source: spec, formulas.
 * @returns `undefined` without events
 * @throws RangeError for a target that is not between 0 and 100
 */
export function burnRateOf(objective: Objective, bad: bigint, total: bigint): Rational | undefined {
  if (total === 0n) return undefined;
  const budget = budgetOf(objective);
  return { numerator: bad * hundred * budget.denominator, denominator: total * budget.numerator };
}

/** How many events may be bad. @throws RangeError for a target that is not between 0 and 100 */
export function allowedBadEvents(objective: Objective, total: bigint): Rational {
  const budget = budgetOf(objective);
  return { numerator: total * budget.numerator, denominator: hundred * budget.denominator };
}

/** `100 − target_percent`. */
function budgetOf({ target_percent: target }: Objective): Rational {
  const { numerator, denominator } = parseDecimal(target);
  const budget = hundred * denominator - numerator;
  if (numerator <= 0n || budget <= 0n) throw new RangeError('A target_percent must be above 0 and below 100.');
  return { numerator: budget, denominator };
}

/**
 * The state that counts lead to: the worst that their bounds allow. Without events there is no data, also of an objective
 * that is off; with events an objective or alert that is off is healthy. Source: spec, SLO evaluation and alert state.
 */
export function stateOf(slo: SloDefinition, counts: BoundedCounts): SloState {
  if (counts.total === 0n) return 'no_data';
  if (!slo.enabled || !slo.alert_policy.enabled) return 'healthy';
  const [, badMost] = counts.badBounds;
  const [goodLeast] = counts.goodBounds;
  const rate = burnRateOf(slo.objective, badMost, badMost + goodLeast);
  return rate === undefined ? 'healthy' : stateAt(slo.alert_policy, rate);
}

function stateAt(policy: AlertPolicy, rate: Rational): SloState {
  if (isAtLeast(rate, parseDecimal(policy.critical_burn_rate))) return 'critical';
  return isAtLeast(rate, parseDecimal(policy.warning_burn_rate)) ? 'warning' : 'healthy';
}

function isAtLeast(left: Rational, right: Rational): boolean {
  return left.numerator * right.denominator >= right.numerator * left.denominator;
}
