import { Gauge, Registry } from 'prom-client';
import { durationBucketsSeconds, type Durations } from '../observations/durations.ts';
import type { RouteMetrics, RouteSeries } from '../observations/route-metrics.ts';

/** What the gateway says of itself at a scrape. */
export interface GatewayFacts {
  readonly gatewayId: string;
  /** 0 before the first configuration. */
  readonly revision: number;
  readonly connected: boolean;
  /** Of the last configuration, in seconds. */
  readonly applySeconds: number;
}

interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName: string;
}

/** The Prometheus text of everything that is counted. Labels carry IDs only. Source: wire contract, Metrics. */
export class Metrics {
  readonly #registry = new Registry();

  constructor(routes: RouteMetrics, facts: () => GatewayFacts) {
    const series = (): readonly RouteSeries[] => routes.all();
    const gateway = (): string => facts().gatewayId;
    this.#add('gateway_http_requests_total', 'counter', 'Requests answered', () => requestSamples(series(), gateway()));
    this.#addDurations(
      'gateway_http_request_duration_seconds',
      'From request to end of answer',
      series,
      gateway,
      'total',
    );
    this.#addDurations('gateway_upstream_duration_seconds', 'Time spent at the upstream', series, gateway, 'upstream');
    this.#addDurations('gateway_overhead_duration_seconds', "The gateway's own time", series, gateway, 'overhead');
    this.#addBytes('gateway_http_request_bytes_total', 'Bytes of request bodies', series, gateway, 'requestBytes');
    this.#addBytes('gateway_http_response_bytes_total', 'Bytes of response bodies', series, gateway, 'responseBytes');
    this.#addGauge('gateway_config_revision', 'Revision that is served', () => facts().revision);
    this.#addGauge('gateway_config_apply_duration_seconds', 'Last build and swap', () => facts().applySeconds);
    this.#addGauge('gateway_control_plane_connected', '1 while connected', () => Number(facts().connected));
    this.#addGauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss());
    this.#addGauge('process_cpu_seconds_total', 'CPU time, user and system', cpuSeconds);
  }

  /** Text and content type of a scrape. */
  async scrape(): Promise<{ readonly text: string; readonly contentType: string }> {
    return { text: await this.#registry.metrics(), contentType: this.#registry.contentType };
  }

  #addGauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers: [this.#registry], collect: () => gauge.set(read()) });
  }

  #addDurations(
    name: string,
    help: string,
    series: () => readonly RouteSeries[],
    gateway: () => string,
    part: 'total' | 'upstream' | 'overhead',
  ): void {
    this.#add(name, 'histogram', help, () =>
      series().flatMap((one) => durationSamples(name, labelsOf(one, gateway()), one[part])),
    );
  }

  #addBytes(
    name: string,
    help: string,
    series: () => readonly RouteSeries[],
    gateway: () => string,
    part: 'requestBytes' | 'responseBytes',
  ): void {
    this.#add(name, 'counter', help, () =>
      series().map((one) => ({ labels: labelsOf(one, gateway()), value: one[part], metricName: name })),
    );
  }

  /** Registers a metric whose values exist already: nothing is counted twice, nothing is done per request. */
  #add(name: string, type: 'counter' | 'histogram', help: string, samples: () => readonly Sample[]): void {
    const metric = {
      name,
      help,
      type,
      aggregator: 'sum',
      get: async () => ({ name, help, type, values: samples(), aggregator: 'sum' }),
    };
    this.#registry.registerMetric(metric as never);
  }
}

function labelsOf(series: RouteSeries, gateway: string): Record<string, string> {
  const labels = { gateway, service: series.serviceId, route: series.routeId };
  return series.overflow ? { ...labels, overflow: 'true' } : labels;
}

function requestSamples(series: readonly RouteSeries[], gateway: string): readonly Sample[] {
  return series.flatMap((one) =>
    one.requests().map(({ method, statusClass, source, count }) => {
      const labels = { ...labelsOf(one, gateway), method, status_class: statusClass, source };
      return { labels, value: count, metricName: 'gateway_http_requests_total' };
    }),
  );
}

function durationSamples(name: string, labels: Record<string, string>, durations: Durations): readonly Sample[] {
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

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
