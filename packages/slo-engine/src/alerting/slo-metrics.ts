/** Metrics that the rules and the dashboard read, and that whoever evaluates SLOs exposes. Source: wire, Metrics. */
export const sloMetrics = {
  /** Labels `tenant`, `slo`, `window`: one of `burnRateWindows`, or `wholeWindow`. No sample where there are no events. */
  burnRate: 'gateway_slo_burn_rate',
  /** Labels `tenant`, `slo`, `state`: 1 for the state of the alert, 0 for the other three. */
  state: 'gateway_slo_state',
  /** Labels `tenant`, `slo`: 1 when nothing of the budget is used up, below 0 when it is overdrawn. */
  budgetRemaining: 'gateway_slo_error_budget_remaining_ratio',
  /** Labels `tenant`, `slo`: when the SLO was evaluated last, seconds since 1970. */
  evaluatedAt: 'gateway_slo_evaluated_timestamp_seconds',
} as const;

/** The `window` label of the burn rate over the SLO's own window. */
export const wholeWindow = 'slo';
