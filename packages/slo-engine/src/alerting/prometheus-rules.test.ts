import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { prometheusRuleGroups, prometheusRules } from './prometheus-rules.ts';
import { checkRules, hasPromtool, testRules } from './promtool.test-support.ts';
import { alertedSlo, hostileNames } from './slos.test-support.ts';

const hostile = hostileNames.map((name, index) => alertedSlo({ id: `${index} ${name}`, tenant_id: name, name }));

describe('prometheusRules', () => {
  it('has both states, three paces and a rule for when nobody evaluates', () => {
    const [group] = prometheusRuleGroups([alertedSlo()]);
    expect(group?.name).toBe('slo acme checkout');
    expect(group?.rules.map(({ alert, labels }) => [alert, labels['severity'], labels['long_window']])).toEqual([
      ['SloWarning', 'ticket', undefined],
      ['SloCritical', 'page', undefined],
      ['SloBudgetBurn', 'page', '1h'],
      ['SloBudgetBurn', 'page', '6h'],
      ['SloBudgetBurn', 'ticket', '3d'],
      ['SloNotEvaluated', 'ticket', undefined],
    ]);
    const rate = (window: string) =>
      `max by (tenant, slo) (gateway_slo_burn_rate{tenant="acme",slo="checkout",window="${window}"})`;
    expect(group?.rules[2]?.expr).toBe(`${rate('1h')} >= 14.4 and ${rate('5m')} >= 14.4`);
  });

  it('scales the paces to the window, never below 1, and leaves out those that are longer', () => {
    const ratesOf = (minutes: number) =>
      prometheusRuleGroups([alertedSlo({ evaluation_window_minutes: minutes })])
        .flatMap(({ rules }) => rules)
        .filter(({ alert }) => alert === 'SloBudgetBurn')
        .map(({ expr }) => Number(/>= (\S+)$/.exec(expr)?.[1]));
    expect([43_200, 10_080, 1440, 60, 59].map(ratesOf)).toEqual([[14.4, 6, 1], [3.36, 1.4, 1], [1, 1], [1], []]);
  });

  it('leaves out what is switched off', () => {
    const policy = { ...alertedSlo().alert_policy, enabled: false };
    expect(prometheusRules([alertedSlo({ enabled: false }), alertedSlo({ alert_policy: policy })])).toBe(
      'groups: []\n',
    );
  });

  it('is YAML that says what was meant, whatever an SLO is called', () => {
    const slos = [alertedSlo(), ...hostile];
    expect(parse(prometheusRules(slos), { strict: true })).toEqual({
      groups: JSON.parse(JSON.stringify(prometheusRuleGroups(slos))),
    });
  });

  it.skipIf(!hasPromtool)('passes promtool, whatever an SLO is called (needs promtool)', () => {
    const { code, output } = checkRules(prometheusRules([alertedSlo(), ...hostile]));
    expect([code, /SUCCESS: (\d+) rules found/.exec(output)?.[1]]).toEqual([0, '48']);
    expect(checkRules(prometheusRules([alertedSlo()]).replace('14.4', '14..4')).code).toBe(1);
  });

  it.skipIf(!hasPromtool)('fires in Prometheus, and shows names as they are (needs promtool)', () => {
    const name = '{{ $value }} "100 %"';
    const sample = (metric: string, value: number, more = '') => ({
      series: `${metric}{tenant="acme",slo="checkout"${more}}`,
      values: `${value}x20`,
    });
    const alerts = (alertname: string, labels: object[]) => ({
      eval_time: '10m',
      alertname,
      exp_alerts: labels.map((exp_labels) => ({ exp_labels })),
    });
    const labels = { tenant: 'acme', slo: 'checkout' };
    const critical = { ...labels, severity: 'page' };
    const text = `SLO "${name}" is critical`;
    const description = 'Its burn rate over 43200 minutes has reached the critical rate.';
    const tests = {
      rule_files: ['rules.yml'],
      tests: [
        {
          interval: '1m',
          input_series: [
            sample('gateway_slo_state', 1, ',state="critical"'),
            sample('gateway_slo_state', 0, ',state="warning"'),
            sample('gateway_slo_burn_rate', 14.4, ',window="1h"'),
            sample('gateway_slo_burn_rate', 14.4, ',window="5m"'),
            sample('gateway_slo_burn_rate', 9, ',window="6h"'),
            sample('gateway_slo_burn_rate', 5, ',window="30m"'),
            sample('gateway_slo_evaluated_timestamp_seconds', 600),
          ],
          alert_rule_test: [
            {
              ...alerts('SloCritical', []),
              exp_alerts: [{ exp_labels: critical, exp_annotations: { summary: text, description } }],
            },
            alerts('SloWarning', []),
            alerts('SloNotEvaluated', []),
          ],
          promql_expr_test: [
            {
              expr: 'count by (long_window) (ALERTS{alertname="SloBudgetBurn",alertstate="firing"})',
              eval_time: '10m',
              exp_samples: [{ labels: '{long_window="1h"}', value: 1 }],
            },
          ],
        },
      ],
    };
    const { code, output } = testRules(prometheusRules([alertedSlo({ name })]), JSON.stringify(tests));
    expect([code, output]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  it.skipIf(!hasPromtool)('fires for an SLO that nobody has evaluated or exposes (needs promtool)', () => {
    const expr = 'count by (slo) (ALERTS{alertname="SloNotEvaluated",alertstate="firing"})';
    const exp_samples = [{ labels: '{slo="checkout"}', value: 1 }];
    const tests = {
      rule_files: ['rules.yml'],
      tests: [
        {
          interval: '1m',
          input_series: [{ series: 'up', values: '1x30' }],
          promql_expr_test: [{ expr, eval_time: '20m', exp_samples }],
        },
      ],
    };
    const { code, output } = testRules(prometheusRules([alertedSlo()]), JSON.stringify(tests));
    expect([code, output]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});
