import { ValueType, type HrTime } from '@opentelemetry/api';
import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';
import type { MetricList } from '../../status/metrics.ts';

/** One value as the status port knows it. */
interface Value {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

/** When counting began, and now. */
export interface MetricTimes {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/** The gateway's metrics in the form that exporters take, under the same names. Counts are since the process began. */
export function metricData(list: MetricList, times: MetricTimes): MetricData[] {
  return list.map(({ name, help, type, values }) => {
    const descriptor = { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE };
    const base = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
    const own = values as readonly Value[];
    if (String(type) === 'histogram') {
      return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(name, own, times) };
    }
    const dataPoints = own.map(({ labels, value }) => ({ ...times, attributes: labels, value }));
    return String(type) === 'counter'
      ? { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
      : { ...base, dataPointType: DataPointType.GAUGE, dataPoints };
  });
}

/** Source: the Unified Code for Units of Measure, which OpenTelemetry uses. */
function unitOf(name: string): string {
  if (/_seconds(?:_total)?$/.test(name)) return 's';
  return /_bytes(?:_total)?$/.test(name) ? 'By' : '';
}

interface Collected {
  readonly attributes: Record<string, string | number>;
  readonly bounds: { readonly le: number; readonly below: number }[];
  sum: number;
  count: number;
}

/** Puts the lines of each histogram together again: counts below bounds, sum and count. */
function histograms(name: string, values: readonly Value[], times: MetricTimes) {
  const bySeries = new Map<string, Collected>();
  for (const { labels, value, metricName } of values) {
    const { le, ...attributes } = labels;
    const key = JSON.stringify(attributes);
    const known = bySeries.get(key) ?? { attributes, bounds: [], sum: 0, count: 0 };
    bySeries.set(key, known);
    if (metricName === `${name}_sum`) known.sum = value;
    else if (metricName === `${name}_count`) known.count = value;
    else if (le !== undefined && le !== '+Inf') known.bounds.push({ le: Number(le), below: value });
  }
  return [...bySeries.values()].map(({ attributes, bounds, sum, count }) => {
    const sorted = bounds.toSorted((left, right) => left.le - right.le);
    const below = sorted.map((bound) => bound.below);
    const counts = [...below, count].map((cumulative, at) => cumulative - (below[at - 1] ?? 0));
    return { ...times, attributes, value: { buckets: { boundaries: sorted.map(({ le }) => le), counts }, sum, count } };
  });
}
