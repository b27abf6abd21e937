import { type BurnRateWindow, burnRateWindowMinutes } from '../windows/burn-rate-windows.ts';
import type { AlertedSlo } from './alerted-slo.ts';
import { labelValue, templateText } from './prometheus-text.ts';
import { sloMetrics } from './slo-metrics.ts';
import { yamlText } from './yaml-text.ts';

/** A group of a rules file of Prometheus. */
export interface RuleGroup {
  readonly name: string;
  readonly rules: readonly AlertingRule[];
}

/** An alerting rule of Prometheus. */
export interface AlertingRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** What can be chosen about rules. */
export interface RuleOptions {
  /** After how many seconds without an evaluation somebody should know. 900 by default. */
  readonly staleAfterSeconds?: number | undefined;
}

/** The budget is used up so fast that a share of it goes in the long window; the short one says that it still does. */
interface Pace {
  readonly budgetPercent: number;
  readonly long: BurnRateWindow;
  readonly short: BurnRateWindow;
  readonly severity: 'page' | 'ticket';
}

/** Source: the multi-window, multi-burn-rate alerts of Google's SRE workbook, "Alerting on SLOs". */
const paces: readonly Pace[] = [
  { budgetPercent: 2, long: '1h', short: '5m', severity: 'page' },
  { budgetPercent: 5, long: '6h', short: '30m', severity: 'page' },
  { budgetPercent: 10, long: '3d', short: '6h', severity: 'ticket' },
];

const staleAfterSecondsDefault = 900;

/**
 * Alerting rules for Prometheus, as the text of a rules file. Each SLO whose alert is on has a group: its warning and critical states, the
 * paces of the SRE workbook scaled to its window, and an alert for when nobody evaluates it any more.
 */
export function prometheusRules(slos: readonly AlertedSlo[], options: RuleOptions = {}): string {
  return yamlText({
    groups: prometheusRuleGroups(slos, options).map(({ name, rules }) => ({ name, rules: rules.map(fields) })),
  });
}

function fields(rule: AlertingRule): Record<string, string | Readonly<Record<string, string>>> {
  return { ...rule };
}

/** The same rules, to be written by somebody else or put into a custom resource of the Prometheus operator. */
export function prometheusRuleGroups(slos: readonly AlertedSlo[], options: RuleOptions = {}): RuleGroup[] {
  return slos
    .filter((slo) => slo.enabled && slo.alert_policy.enabled)
    .map((slo) => ({
      name: `slo ${slo.tenant_id} ${slo.id}`.toWellFormed(),
      rules: [
        ...stateRules(slo),
        ...paceRules(slo),
        staleRule(slo, options.staleAfterSeconds ?? staleAfterSecondsDefault),
      ],
    }));
}

function stateRules(slo: AlertedSlo): AlertingRule[] {
  return (['warning', 'critical'] as const).map((state) => ({
    alert: state === 'warning' ? 'SloWarning' : 'SloCritical',
    expr: `${series(sloMetrics.state, slo, { state })} == 1`,
    labels: labelsOf(slo, state === 'warning' ? 'ticket' : 'page'),
    annotations: {
      summary: `SLO "${templateText(slo.name)}" is ${state}`,
      description: `Its burn rate over ${slo.evaluation_window_minutes} minutes has reached the ${state} rate.`,
    },
  }));
}

function paceRules(slo: AlertedSlo): AlertingRule[] {
  return paces
    .filter(({ long }) => burnRateWindowMinutes[long] <= slo.evaluation_window_minutes)
    .map((pace) => {
      const { budgetPercent, long, short, severity } = pace;
      const rate = rateOf(pace, slo.evaluation_window_minutes);
      const [longRate, shortRate] = [long, short].map((window) => series(sloMetrics.burnRate, slo, { window }));
      return {
        alert: 'SloBudgetBurn',
        expr: `${longRate} >= ${rate} and ${shortRate} >= ${rate}`,
        labels: { ...labelsOf(slo, severity), long_window: long },
        annotations: {
          summary: `SLO "${templateText(slo.name)}" uses up its error budget {{ $value | humanize }} times as fast as allowed`,
          description: `At ${rate} times, ${budgetPercent} % of the budget or more is gone within ${long}.`,
        },
      };
    });
}

/** Not below 1: slower than that nothing is used up before its time. */
function rateOf({ budgetPercent, long }: Pace, windowMinutes: number): number {
  return Math.max(1, (budgetPercent * windowMinutes) / (100 * burnRateWindowMinutes[long]));
}

/** Also for one that has no series: it was never evaluated, or nobody exposes it. */
function staleRule(slo: AlertedSlo, seconds: number): AlertingRule {
  const absent = `absent_over_time(${selector(sloMetrics.evaluatedAt, slo)}[${Math.ceil(seconds)}s])`;
  return {
    alert: 'SloNotEvaluated',
    expr: `time() - ${series(sloMetrics.evaluatedAt, slo)} > ${seconds} or ${absent} * ${seconds}`,
    labels: labelsOf(slo, 'ticket'),
    annotations: {
      summary: `SLO "${templateText(slo.name)}" has not been evaluated for {{ $value | humanizeDuration }}`,
      description: 'States and burn rates are those of the last evaluation. Evaluations have to be asked for.',
    },
  };
}

/** Several replicas expose the same SLO: one alert for all. */
function series(metric: string, slo: AlertedSlo, more: Readonly<Record<string, string>> = {}): string {
  return `max by (tenant, slo) (${selector(metric, slo, more)})`;
}

function selector(metric: string, slo: AlertedSlo, more: Readonly<Record<string, string>> = {}): string {
  const labels = { tenant: slo.tenant_id, slo: slo.id, ...more };
  const matchers = Object.entries(labels).map(([name, value]) => `${name}=${labelValue(value)}`);
  return `${metric}{${matchers.join(',')}}`;
}

function labelsOf(slo: AlertedSlo, severity: string): Record<string, string> {
  return { severity, tenant: templateText(slo.tenant_id), slo: templateText(slo.id) };
}
