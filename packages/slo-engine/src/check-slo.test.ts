import { expect, it } from 'vitest';
import { checkSlo } from './check-slo.ts';
import type { AlertPolicy, Objective } from './objective.ts';

function fieldsOf(objective: Partial<Objective>, policy: Partial<AlertPolicy> = {}, window = 10_080): string[] {
  const problems = checkSlo({
    objective: { type: 'availability', target_percent: 99.9, ...objective },
    alert_policy: { enabled: true, warning_burn_rate: 1, critical_burn_rate: 2, ...policy },
    evaluation_window_minutes: window,
    enabled: true,
  });
  return problems.map(({ field }) => field);
}

it('names the fields that are outside their ranges', () => {
  expect(fieldsOf({})).toEqual([]);
  const targets = [0, 100, -1, Number.NaN, 'soon', '100.00', '99.99999999999999999999', 1e-7];
  expect(targets.map((target) => fieldsOf({ target_percent: target }).length)).toEqual([1, 1, 1, 1, 1, 1, 0, 0]);
  expect(fieldsOf({ latency_threshold_ms: 5 })).toEqual(['objective.latency_threshold_ms']);
  expect(fieldsOf({ type: 'latency' })).toEqual(['objective.latency_threshold_ms']);
  expect(fieldsOf({ type: 'latency', latency_threshold_ms: 0 })).toEqual(['objective.latency_threshold_ms']);
  expect(fieldsOf({ type: 'latency', latency_threshold_ms: 0.5 })).toEqual([]);
  expect([4, 5, 43_200, 43_201, 5.5].map((window) => fieldsOf({}, {}, window).length)).toEqual([1, 0, 0, 1, 1]);
  expect(fieldsOf({}, { warning_burn_rate: 0 })).toEqual(['alert_policy.warning_burn_rate']);
  expect(fieldsOf({}, { critical_burn_rate: 1 })).toEqual(['alert_policy.critical_burn_rate']);
  expect(fieldsOf({}, { critical_burn_rate: '1.00000000000000000001' })).toEqual([]);
});
