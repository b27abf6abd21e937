export {
  type Alert,
  type AlertEvent,
  type AlertOutcome,
  type AlertRecord,
  createdAlert,
  type TimelineEvent,
} from './alerting/alert.ts';
export type { AlertedSlo } from './alerting/alerted-slo.ts';
export {
  type DashboardOptions,
  grafanaDashboard,
  type GrafanaDashboard,
  type GrafanaPanel,
} from './alerting/grafana-dashboard.ts';
export { nextAlertState } from './alerting/next-alert-state.ts';
export {
  type AlertingRule,
  prometheusRuleGroups,
  prometheusRules,
  type RuleGroup,
  type RuleOptions,
} from './alerting/prometheus-rules.ts';
export { sloMetrics, wholeWindow } from './alerting/slo-metrics.ts';
export type { Decimal } from './arithmetic/rational.ts';
export { checkSlo, evaluationWindowMinutes, type SloProblem } from './check-slo.ts';
export { evaluateEvents, type TimedEvent } from './evaluate-events.ts';
export { evaluateObjective, type EvaluationContext, type EvaluationFacts } from './evaluate-objective.ts';
export type { Evaluation, SloState, Timestamp } from './evaluation.ts';
export type { CountBounds, EventCount, EventCounts } from './event-counts.ts';
export type { Moment } from './moment.ts';
export {
  type AlertPolicy,
  type GivenSlo,
  isBadEvent,
  latencyThresholdUs,
  type Objective,
  type ObservedEvent,
  type SloDefinition,
} from './objective.ts';
export { type BurnRateWindow, burnRateWindowMinutes, burnRateWindows } from './windows/burn-rate-windows.ts';
export { type BadBounds, type BinRange, type LatencyCounts, slowRequests } from './windows/counter-bounds.ts';
export { coveragePercent } from './windows/coverage.ts';
export { type CounterRange, planWindow, type WindowPlan, type WindowRequest } from './windows/plan-window.ts';
export {
  type CutEvents,
  type JudgedCounter,
  type LastEvents,
  type ObservedRange,
  WindowCounts,
} from './windows/window-counts.ts';
