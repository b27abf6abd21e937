import type { InstanceStatus } from '@portcullis/plugin-runtime';
import { Gauge, Registry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import type { UpstreamFigures } from '../balancing/balancing.ts';
import { inFlightSamples, retrySamples } from '../balancing/upstream-series.ts';
import type { SoonestExpiries } from '../certificates/certificate-expiries.ts';
import type { TargetSeries } from '../health/target-series.ts';
import type { AiMetrics } from '../observations/ai-metrics.ts';
import type { PluginCounters } from '../observations/plugin-counters.ts';
import type { PluginMetrics } from '../observations/plugin-metrics.ts';
import type { RouteMetrics, RouteSeries } from '../observations/route-metrics.ts';
import type { RefusedConnections } from '../listeners/refused-connections.ts';
import { aiMetricFamilies } from './ai-samples.ts';
import { refusalFamilies } from './connection-samples.ts';
import { durationSamples, expirySamples, labelsOf, requestSamples, type Sample } from './metric-samples.ts';
import { circuitSamples, faultSamples, pluginCountSamples } from './plugin-samples.ts';
import type { StreamMetrics } from '../streams/stream-metrics.ts';
import { streamMetricFamilies } from './stream-samples.ts';
import { failedReports, failedReportSamples } from './report-samples.ts';

/** What the gateway says of itself at a scrape. */
export interface GatewayFacts {
  readonly gatewayId: string;
  /** 0 before the first configuration. */
  readonly revision: number;
  readonly connected: boolean;
  /** Absent where the gateway has no Redis. */
  readonly sharedStore?: { readonly isConnected: boolean; readonly failedCalls: number } | undefined;
  /** Absent where the gateway has no database for cached answers. */
  readonly dataStores?: { readonly isWell: boolean; readonly failedCalls: number } | undefined;
  /** Of the last configuration, in seconds. */
  readonly applySeconds: number;
  /** Targets under health checks, their number bounded. */
  readonly targets: () => readonly TargetSeries[];
  /** What balancing counts. */
  readonly upstreams: () => Iterable<UpstreamFigures>;
  readonly instances: () => readonly InstanceStatus[];
  /** What is counted of connections that are carried byte by byte. */
  readonly streams: Pick<StreamMetrics, 'all'>;
  /** Connections that came to nothing. */
  readonly refused: Pick<RefusedConnections, 'counts' | 'resets'>;
  /** What plugins count of their own. */
  readonly pluginCounters: Pick<PluginCounters, 'families'>;
  /** What became of spans; absent where none are recorded. */
  readonly spans?: Readonly<Record<'sent' | 'dropped' | 'failed', number>> | undefined;
  /** When certificates end, the first of them. */
  readonly certificateExpiries: SoonestExpiries;
  readonly inFlight: number;
  /** Since the process began: requests refused because of overload, and what was left out of records and log. */
  readonly shed: number;
  /** Bodies in memory: bytes now, and how many bodies were refused. */
  readonly heldBodies: { readonly held: number; readonly refused: number };
  readonly droppedRecords: number;
  readonly droppedLogLines: number;
  /** Reports that the control plane did not take, by kind; empty in a worker, which does not send them itself. */
  readonly failedReports: Readonly<Record<string, number>>;
}

/** The metrics of one process in the form in which they are added up with those of others. */
export type MetricList = readonly MetricObjectWithValues<MetricValue<string>>[];

/** How the values of several processes become one. */
type Aggregator = 'sum' | 'max' | 'min';

/** The Prometheus text of everything that is counted. Labels carry IDs only. Source: wire contract, Metrics. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #facts: () => GatewayFacts;

  constructor(routes: RouteMetrics, plugins: PluginMetrics, ai: AiMetrics, facts: () => GatewayFacts) {
    this.#facts = facts;
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
    for (const { name, type, help, samples } of streamMetricFamilies(() => facts().streams, gateway)) {
      this.#add(name, type, help, samples);
    }
    for (const { name, help, samples } of refusalFamilies(() => facts().refused))
      this.#add(name, 'counter', help, samples);
    const up = 'gateway_upstream_target_up';
    const targets = (): readonly Sample[] =>
      facts()
        .targets()
        .map((target) => ({ ...target, metricName: up }));
    // Every worker checks for itself: a target is up when it is for all of them.
    this.#add(up, 'gauge', '1 while requests may go to the target', targets, 'min');
    const inFlight = 'gateway_upstream_requests_in_flight';
    this.#add(inFlight, 'gauge', 'Requests that an upstream has at present', () =>
      inFlightSamples(facts().upstreams()).map((sample) => ({ ...sample, metricName: inFlight })),
    );
    const retries = 'gateway_upstream_retries_total';
    this.#add(retries, 'counter', 'Retries that were sent, and that the budget refused', () =>
      retrySamples(facts().upstreams()).map((sample) => ({ ...sample, metricName: retries })),
    );
    const limited = 'gateway_rate_limit_rejected_total';
    this.#add(limited, 'counter', 'Requests that a plugin of the category rate_limit refused', () =>
      series().map((one) => ({ labels: labelsOf(one, gateway()), value: one.rateLimited, metricName: limited })),
    );
    const hooks = 'gateway_plugin_duration_seconds';
    this.#add(hooks, 'histogram', 'Time of each call of a hook', () =>
      plugins.hooks().flatMap(({ plugin, hook, durations }) => {
        const labels = plugin === '' ? { plugin, hook, overflow: 'true' } : { plugin, hook };
        return durationSamples(hooks, labels, durations);
      }),
    );
    const faults = 'gateway_plugin_failures_total';
    this.#add(faults, 'counter', 'Hooks that did not do their work', () => faultSamples(faults, plugins.faults()));
    const circuits = 'gateway_plugin_circuit_state';
    const states = (): readonly Sample[] => circuitSamples(circuits, facts().instances());
    this.#add(circuits, 'gauge', '0 closed, 1 half open, 2 open', states, 'max');
    for (const { name, type, help, samples } of aiMetricFamilies(ai)) this.#add(name, type, help, samples);
    this.#addGauge('gateway_config_revision', 'Revision that is served', () => facts().revision, 'min');
    this.#addGauge('gateway_config_apply_duration_seconds', 'Last build and swap', () => facts().applySeconds, 'max');
    this.#addGauge('gateway_control_plane_connected', '1 while connected', () => Number(facts().connected), 'min');
    const expiry = 'gateway_certificate_expiry_timestamp_seconds';
    const expiries = (): readonly Sample[] => expirySamples(expiry, facts().certificateExpiries(), gateway());
    this.#add(expiry, 'gauge', 'When a certificate is valid no more, those first that end first', expiries, 'min');
    const databases = (): readonly NonNullable<GatewayFacts['dataStores']>[] => [facts().dataStores ?? []].flat();
    const cacheUp = 'gateway_ai_cache_up';
    const cacheSamples = (): readonly Sample[] =>
      databases().map(({ isWell }) => ({ labels: {}, value: Number(isWell), metricName: cacheUp }));
    this.#add(cacheUp, 'gauge', '0 while the database of cached answers fails', cacheSamples, 'min');
    const cacheFailures = 'gateway_ai_cache_failed_calls_total';
    this.#add(cacheFailures, 'counter', 'Calls of that database that failed', () =>
      databases().map(({ failedCalls: value }) => ({ labels: {}, value, metricName: cacheFailures })),
    );
    const redis = 'gateway_redis_connected';
    const redisFailures = 'gateway_redis_failed_calls_total';
    const ofStore = (metricName: string, value: (store: NonNullable<GatewayFacts['sharedStore']>) => number) => () =>
      [facts().sharedStore ?? []].flat().map((store) => ({ labels: {}, value: value(store), metricName }));
    this.#add(
      redis,
      'gauge',
      '1 while connected',
      ofStore(redis, (store) => Number(store.isConnected)),
      'min',
    );
    this.#add(
      redisFailures,
      'counter',
      'Calls that failed',
      ofStore(redisFailures, (store) => store.failedCalls),
    );
    this.#addGauge('gateway_http_requests_in_flight', 'Requests under way', () => facts().inFlight);
    this.#addTotal('gateway_requests_shed_total', 'Requests refused because of overload', () => facts().shed);
    this.#addGauge('gateway_held_body_bytes', 'Bytes of bodies that are held', () => facts().heldBodies.held);
    this.#addTotal('gateway_held_bodies_refused_total', 'Bodies without room', () => facts().heldBodies.refused);
    this.#addTotal('gateway_dropped_records_total', 'Raw records left out', () => facts().droppedRecords);
    this.#addTotal('gateway_access_log_dropped_total', 'Lines left out', () => facts().droppedLogLines);
    this.#add(failedReports.name, 'counter', failedReports.help, () => failedReportSamples(facts().failedReports));
    const spans = 'gateway_otel_spans_total';
    this.#add(spans, 'counter', 'Spans that were sent, dropped, and not taken', () =>
      Object.entries(facts().spans ?? {}).map(([outcome, value]) => ({
        labels: { outcome },
        value,
        metricName: spans,
      })),
    );
    this.#addGauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss());
    this.#addTotal('process_cpu_seconds_total', 'CPU time, user and system', cpuSeconds);
  }

  /** Text and content type of a scrape. */
  async scrape(): Promise<{ readonly text: string; readonly contentType: string }> {
    this.#addPluginCounters();
    return { text: await this.#registry.metrics(), contentType: this.#registry.contentType };
  }

  /** The values of this process, for the one that adds up those of several. */
  list(): Promise<MetricList> {
    this.#addPluginCounters();
    return this.#registry.getMetricsAsJSON();
  }

  /** Plugins make their counters when they are set up, so there may be more of them than at the last scrape. A name of ours stays ours. */
  #addPluginCounters(): void {
    for (const family of this.#facts().pluginCounters.families()) {
      const { name, help } = family;
      const isKnown = this.#registry.getSingleMetric(name) !== undefined;
      if (!isKnown) this.#add(name, 'counter', help, () => pluginCountSamples(family));
    }
  }

  #addGauge(name: string, help: string, read: () => number, aggregator: Aggregator = 'sum'): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      aggregator,
      registers: [this.#registry],
      collect: () => gauge.set(read()),
    });
  }

  #addTotal(name: string, help: string, read: () => number): void {
    this.#add(name, 'counter', help, () => [{ labels: {}, value: read(), metricName: name }]);
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
  #add(
    name: string,
    type: 'counter' | 'histogram' | 'gauge',
    help: string,
    samples: () => readonly Sample[],
    aggregator: Aggregator = 'sum',
  ): void {
    const get = async (): Promise<unknown> => ({ name, help, type, values: samples(), aggregator });
    const metric = { name, help, type, aggregator, get };
    this.#registry.registerMetric(metric as never);
  }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
