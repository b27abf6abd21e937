import { durationBucketsSeconds, type Durations } from '../observations/durations.ts';
import type { CertificateExpiry } from '../certificates/certificate-expiries.ts';
import type { Histogram } from '../observations/histogram.ts';
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

/** When certificates end, seconds since 1970. */
export function expirySamples(
  name: string,
  expiries: readonly CertificateExpiry[],
  gateway: string,
): readonly Sample[] {
  return expiries.map(({ certificateId: certificate, notAfterMs }) => ({
    labels: { gateway, certificate },
    value: notAfterMs / 1000,
    metricName: name,
  }));
}

/** A histogram in seconds. */
export function durationSamples(name: string, labels: Record<string, string>, durations: Durations): readonly Sample[] {
  const { buckets, sumUs, count } = durations;
  return histogramSamples(name, labels, { bounds: durationBucketsSeconds, buckets, sum: sumUs / 1e6, count });
}

/** A histogram. Source: Prometheus, text-based format. */
export function histogramSamples(
  name: string,
  labels: Record<string, string>,
  { bounds, buckets, sum, count }: Pick<Histogram, 'bounds' | 'buckets' | 'sum' | 'count'>,
): readonly Sample[] {
  let below = 0;
  const cumulative = bounds.map((le, index) => {
    below += buckets[index] ?? 0;
    return { labels: { ...labels, le }, value: below, metricName: `${name}_bucket` };
  });
  return [
    ...cumulative,
    { labels: { ...labels, le: '+Inf' }, value: count, metricName: `${name}_bucket` },
    { labels, value: sum, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ];
}
