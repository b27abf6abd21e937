import { describe, expect, it } from 'vitest';
import { type GrafanaPanel, grafanaDashboard } from './grafana-dashboard.ts';
import { checkRules, hasPromtool } from './promtool.test-support.ts';
import { sloMetrics } from './slo-metrics.ts';
import { alertedSlo, hostileNames } from './slos.test-support.ts';
import { yamlText } from './yaml-text.ts';

const slos = hostileNames.map((name, index) => alertedSlo({ id: `slo-${index}`, name }));

function queriesOf(panels: readonly GrafanaPanel[]): string[] {
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => String(expr)));
}

describe('grafanaDashboard', () => {
  it('has the fields that Grafana asks for, and survives JSON', () => {
    const dashboard = grafanaDashboard(slos, { title: 'Ours', uid: 'ours' });
    expect(JSON.parse(JSON.stringify(dashboard))).toEqual(dashboard);
    expect(dashboard).toMatchObject({
      uid: 'ours',
      title: 'Ours',
      schemaVersion: 39,
      time: { from: 'now-24h', to: 'now' },
    });
    expect(dashboard.templating.list.map(({ name, type }) => [name, type])).toEqual([
      ['datasource', 'datasource'],
      ['tenant', 'query'],
      ['slo', 'query'],
    ]);
    for (const panel of dashboard.panels) {
      expect(panel).toMatchObject({
        title: expect.stringMatching(/./),
        type: expect.stringMatching(/^(stat|timeseries|table|state-timeline)$/),
        datasource: { type: 'prometheus', uid: '${datasource}' },
        fieldConfig: { defaults: expect.any(Object), overrides: [] },
        options: expect.any(Object),
      });
      expect(panel.targets[0]).toMatchObject({ refId: 'A', expr: expect.stringMatching(/gateway_slo_/) });
    }
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });

  it('lays panels out in 24 columns, none over another', () => {
    const taken = new Set<string>();
    for (const { gridPos } of grafanaDashboard([]).panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(taken.has(`${x},${y}`)).toBe(false);
          taken.add(`${x},${y}`);
        }
      }
    }
  });

  it('reads every metric, and shows names in place of IDs', () => {
    const dashboard = grafanaDashboard(slos);
    const queries = queriesOf(dashboard.panels).join('\n');
    for (const metric of Object.values(sloMetrics)) expect(queries).toContain(metric);
    const [mapping] = dashboard.panels.flatMap(
      ({ fieldConfig }) => (fieldConfig.defaults['mappings'] ?? []) as object[],
    );
    expect(mapping).toMatchObject({ type: 'value', options: { 'slo-2': { text: 'yes', index: 2 } } });
  });

  it.skipIf(!hasPromtool)('asks in PromQL that Prometheus reads (needs promtool)', () => {
    const rules = queriesOf(grafanaDashboard(slos).panels).map((expr, index) => ({ record: `query${index}`, expr }));
    const { code, output } = checkRules(yamlText({ groups: [{ name: 'queries', rules }] }));
    expect([code, output]).toEqual([0, expect.stringContaining('SUCCESS: 6 rules found')]);
  });

  it('refuses a uid that Grafana would not take', () => {
    for (const uid of ['', 'a b', 'x'.repeat(41)]) expect(() => grafanaDashboard([], { uid })).toThrow(RangeError);
  });
});
