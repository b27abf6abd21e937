import type { AlertedSlo } from './alerted-slo.ts';
import { sloMetrics, wholeWindow } from './slo-metrics.ts';

/** What can be chosen about a dashboard. */
export interface DashboardOptions {
  readonly title?: string | undefined;
  /** Grafana keeps one dashboard for each; at most 40 letters, digits, `-` and `_`. */
  readonly uid?: string | undefined;
}

/** A dashboard as Grafana imports it. */
export interface GrafanaDashboard {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly version: number;
  readonly editable: boolean;
  readonly refresh: string;
  readonly tags: readonly string[];
  readonly time: { readonly from: string; readonly to: string };
  readonly templating: { readonly list: readonly Readonly<Record<string, unknown>>[] };
  readonly panels: readonly GrafanaPanel[];
}

/** One panel of a dashboard. */
export interface GrafanaPanel {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly type: 'stat' | 'timeseries' | 'table' | 'state-timeline';
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource: { readonly type: 'prometheus'; readonly uid: string };
  readonly targets: readonly Readonly<Record<string, unknown>>[];
  readonly fieldConfig: { readonly defaults: Readonly<Record<string, unknown>>; readonly overrides: readonly [] };
  readonly options: Readonly<Record<string, unknown>>;
}

const datasource = { type: 'prometheus', uid: '${datasource}' } as const;
const selected = 'tenant=~"$tenant",slo=~"$slo"';
const uidPattern = /^[\w-]{1,40}$/;

/**
 * A dashboard of SLOs for Grafana 10 and later: states, burn rates, budgets left and when they were evaluated, for the tenants and SLOs
 * that its reader selects. SLOs that are given are shown by name, others by ID.
 * @throws RangeError for a `uid` that Grafana would not take
 */
export function grafanaDashboard(slos: readonly AlertedSlo[], options: DashboardOptions = {}): GrafanaDashboard {
  const uid = options.uid ?? 'portcullis-slos';
  if (!uidPattern.test(uid)) throw new RangeError('A uid must have 1 to 40 letters, digits, - and _.');
  return {
    uid,
    title: options.title ?? 'Service-level objectives',
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '1m',
    tags: ['slo'],
    time: { from: 'now-24h', to: 'now' },
    templating: { list: variables() },
    panels: panels(namesOf(slos)),
  };
}

function panels(names: readonly object[]): GrafanaPanel[] {
  const perSlo = { legendFormat: '{{tenant}} {{slo}}' };
  const burnRate = (window: string): string => maxBy('tenant, slo', sloMetrics.burnRate, `window="${window}"`);
  const isTimes = { unit: 'short', min: 0 };
  return [
    panel(1, 'SLOs by state', 'stat', { x: 0, y: 0, w: 24, h: 4 }, [
      query(`sum by (state) (${maxBy('tenant, slo, state', sloMetrics.state)})`, { legendFormat: '{{state}}' }),
    ]),
    panel(2, 'State', 'state-timeline', { x: 0, y: 4, w: 24, h: 8 }, [
      query(`${maxBy('tenant, slo, state', sloMetrics.state)} == 1`, { legendFormat: '{{tenant}} {{slo}} {{state}}' }),
    ]),
    panel(
      3,
      'Burn rate over the SLO’s window',
      'timeseries',
      { x: 0, y: 12, w: 12, h: 8 },
      [query(burnRate(wholeWindow), perSlo)],
      isTimes,
    ),
    panel(
      4,
      'Burn rate by period',
      'timeseries',
      { x: 12, y: 12, w: 12, h: 8 },
      [
        query(maxBy('tenant, slo, window', sloMetrics.burnRate, `window!="${wholeWindow}"`), {
          legendFormat: '{{tenant}} {{slo}} {{window}}',
        }),
      ],
      isTimes,
    ),
    panel(
      5,
      'Error budget left',
      'timeseries',
      { x: 0, y: 20, w: 12, h: 8 },
      [query(`min by (tenant, slo) (${sloMetrics.budgetRemaining}{${selected}})`, perSlo)],
      { unit: 'percentunit', max: 1 },
    ),
    panel(
      6,
      'Since the last evaluation',
      'table',
      { x: 12, y: 20, w: 12, h: 8 },
      [query(`time() - ${maxBy('tenant, slo', sloMetrics.evaluatedAt)}`, { format: 'table', instant: true })],
      { unit: 's', mappings: names },
    ),
  ];
}

function maxBy(labels: string, metric: string, more?: string): string {
  return `max by (${labels}) (${metric}{${more === undefined ? selected : `${selected},${more}`}})`;
}

function query(expr: string, more: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { refId: 'A', datasource, expr, ...more };
}

function panel(
  id: number,
  title: string,
  type: GrafanaPanel['type'],
  gridPos: GrafanaPanel['gridPos'],
  targets: GrafanaPanel['targets'],
  defaults: Readonly<Record<string, unknown>> = {},
): GrafanaPanel {
  const description = 'What the last evaluations found. Evaluations have to be asked for.';
  return {
    id,
    title,
    description,
    type,
    gridPos,
    datasource,
    targets,
    fieldConfig: { defaults, overrides: [] },
    options: {},
  };
}

function variables(): Record<string, unknown>[] {
  const variable = (name: string, filter: string) => {
    const values = `label_values(${sloMetrics.state}${filter}, ${name})`;
    return {
      name,
      type: 'query',
      datasource,
      query: { query: values, refId: name },
      definition: values,
      refresh: 2,
      includeAll: true,
      allValue: '.*',
      multi: true,
      current: { text: ['All'], value: ['$__all'] },
    };
  };
  const sources = { name: 'datasource', type: 'datasource', query: 'prometheus', current: {} };
  return [sources, variable('tenant', ''), variable('slo', '{tenant=~"$tenant"}')];
}

/** Grafana shows these texts in place of IDs. */
function namesOf(slos: readonly AlertedSlo[]): object[] {
  if (slos.length === 0) return [];
  const texts = slos.map(({ id, name }, index) => [id, { text: name, index }] as const);
  return [{ type: 'value', options: Object.fromEntries(texts) }];
}
