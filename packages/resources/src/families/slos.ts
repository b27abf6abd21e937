import * as v from 'valibot';
import type { Family, FamilyRule, RuleViolation } from '../family.ts';
import * as field from '../fields.ts';
import { maxCharacters, minCharacters } from '../text-length.ts';

/** Bounds of objectives. Source: spec, SLO object; Limits. */
export const sloLimits = {
  nameLengthMax: 120,
  descriptionLengthMax: 500,
  gatewayIdLengthMax: 128,
  windowMinutesMin: 5,
  windowMinutesMax: 43_200,
  windowMinutesDefault: 10_080,
  warningBurnRateDefault: 1,
  criticalBurnRateDefault: 2,
  /** Beyond what a burn rate can be: a target of 99.999999999 % burnt by nothing but failures is at 1e11. */
  burnRateMax: 1e15,
  /** Far beyond the day at which gateways stop counting. */
  latencyThresholdMsMax: 1e12,
} as const;

/** States of an alert. Source: spec, SLO evaluation and alert state. */
export const sloAlertStates = ['healthy', 'warning', 'critical', 'no_data'] as const;

const positive = v.pipe(v.number(), v.gtValue(0, 'must be greater than 0'));

const objective = v.pipe(
  v.strictObject({
    type: v.pipe(v.picklist(['availability', 'latency']), v.description('What makes a response bad')),
    target_percent: v.pipe(
      positive,
      v.ltValue(100, 'must be less than 100'),
      v.description('Share of responses that must be good'),
    ),
    latency_threshold_ms: v.optional(
      v.pipe(
        positive,
        v.maxValue(sloLimits.latencyThresholdMsMax, `must be at most ${sloLimits.latencyThresholdMsMax}`),
        v.description('For latency: what takes longer is bad. Latencies are whole microseconds'),
      ),
    ),
  }),
  v.description('Availability: a status of 500 to 599 is bad. Latency: more than the threshold is bad'),
);

const burnRate = (fallback: number, about: string) =>
  v.optional(
    v.pipe(
      positive,
      v.maxValue(sloLimits.burnRateMax, `must be at most ${sloLimits.burnRateMax}`),
      v.description(about),
    ),
    fallback,
  );

const alertPolicy = v.optional(
  v.strictObject({
    enabled: v.optional(v.pipe(v.boolean(), v.description('Whether the objective alerts')), true),
    warning_burn_rate: burnRate(sloLimits.warningBurnRateDefault, 'From this burn rate on the alert is a warning'),
    critical_burn_rate: burnRate(
      sloLimits.criticalBurnRateDefault,
      'From this burn rate on the alert is critical; greater than the one of warnings',
    ),
  }),
  {},
);

interface SloValues {
  readonly objective: { readonly type: string; readonly latency_threshold_ms?: number };
  readonly alert_policy: { readonly warning_burn_rate: number; readonly critical_burn_rate: number };
}

const hasThreshold: FamilyRule = (record) => {
  const { type, latency_threshold_ms: threshold } = (record as unknown as SloValues).objective;
  const violation = (code: string, message: string): RuleViolation[] => [
    { pointer: '/objective/latency_threshold_ms', code, message },
  ];
  if (type === 'availability') return threshold === undefined ? [] : violation('forbidden', 'belongs to latency only');
  return threshold === undefined ? violation('required', 'is required for latency') : [];
};

const hasRisingRates: FamilyRule = (record) => {
  const { warning_burn_rate: warning, critical_burn_rate: critical } = (record as unknown as SloValues).alert_policy;
  if (critical > warning) return [];
  return [
    { pointer: '/alert_policy/critical_burn_rate', code: 'order', message: 'must be greater than warning_burn_rate' },
  ];
};

const rates = v.record(v.string(), v.nullable(v.number()));

/** What the last evaluation found; `null` before the first. Source: wire contract, SLOs. */
const evaluation = v.nullable(
  v.pipe(
    v.looseObject({
      state: v.picklist(sloAlertStates),
      burn_rate: v.nullable(v.number()),
      total_events: v.number(),
      bad_events: v.number(),
      good_events: v.number(),
      allowed_bad_events: v.number(),
      error_budget_remaining_percent: v.nullable(v.number()),
      window: v.object({ from: v.string(), to: v.string() }),
      observed: v.object({ first: v.nullable(v.string()), last: v.nullable(v.string()) }),
      coverage_percent: v.number(),
      exact: v.boolean(),
      source: v.string(),
      dropped_late: v.number(),
      burn_rates: rates,
      evaluated_at: v.string(),
    }),
    v.description('What the last evaluation found'),
  ),
);

const alert = v.pipe(
  v.object({
    state: v.picklist(sloAlertStates),
    since: v.nullable(v.string()),
    acknowledged: v.boolean(),
    acknowledged_by: v.nullable(v.string()),
    acknowledged_at: v.nullable(v.string()),
    note: v.nullable(v.string()),
  }),
  v.description('The alert; `no_data` before the first evaluation'),
);

/** Service-level objectives. Source: spec, SLO object; decisions, 10; wire contract, SLOs. */
export const slos: Family = {
  name: 'slos',
  singular: 'slo',
  summary: 'Service-level objectives: what observed traffic is judged against',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  fields: {
    name: v.pipe(
      v.string(),
      minCharacters(1),
      maxCharacters(sloLimits.nameLengthMax),
      v.check(field.hasNoControlCharacters, 'must not contain control characters'),
      v.check((text) => text.trim() === text, 'must not begin or end with white space'),
    ),
    description: v.optional(
      v.pipe(v.string(), maxCharacters(sloLimits.descriptionLengthMax), v.description('Free text for people')),
    ),
    gateway_id: v.optional(
      v.pipe(field.reference, v.description('Gateway whose traffic counts; all of the tenant’s when not given')),
    ),
    objective,
    evaluation_window_minutes: field.integer(
      sloLimits.windowMinutesMin,
      sloLimits.windowMinutesMax,
      sloLimits.windowMinutesDefault,
      'Minutes before an evaluation whose traffic it judges',
    ),
    alert_policy: alertPolicy,
    enabled: field.enabled,
  },
  readOnlyFields: { evaluation, alert },
  rules: [hasThreshold, hasRisingRates],
  references: [{ field: 'gateway_id', family: 'gateways', nameScope: 'tenant', whenTargetIsDeleted: 'restrict' }],
  keys: [],
  methods: ['POST', 'PATCH', 'DELETE'],
  isEntity: false,
  deliveredToGateways: false,
};
