import { durationBucketsSeconds, type Durations } from '../observations/durations.ts';
import type { RouteSeries } from '../observations/route-metrics.ts';

/** One value of a metric. */
export interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName: string;
}

/** Labels of a route's series. */
export function labelsOf(series: RouteSeries, gateway: string): Record<string, string> {
  const labels = { gateway, service: series.serviceId, route: series.routeId };
  return series.overflow ? { ...labels, overflow: 'true' } : labels;
}

/** Requests by method, class of statuses and source. */
export function requestSamples(series: readonly RouteSeries[], gateway: string): readonly Sample[] {
  return series.flatMap((one) =>
    one.requests().map(({ method, statusClass, source, count }) => {
      const labels = { ...labelsOf(one, gateway), method, status_class: statusClass, source };
      return { labels, value: count, metricName: 'gateway_http_requests_total' };
    }),
  );
}

/** A histogram in seconds. */
export function durationSamples(name: string, labels: Record<string, string>, durations: Durations): readonly Sample[] {
  let below = 0;
  const buckets = durationBucketsSeconds.map((le, index) => {
    below += durations.buckets[index] ?? 0;
    return { labels: { ...labels, le }, value: below, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { labels: { ...labels, le: '+Inf' }, value: durations.count, metricName: `${name}_bucket` },
    { labels, value: durations.sumUs / 1e6, metricName: `${name}_sum` },
    { labels, value: durations.count, metricName: `${name}_count` },
  ];
}
