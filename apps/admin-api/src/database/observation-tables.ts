import type { EpochMs, JsonText } from './column-values.ts';

/** Batches that were counted, so that a batch sent again is not counted twice. */
export interface ObservationBatchRow {
  tenant_id: string;
  data_plane_id: string;
  boot_id: string;
  sequence: number;
  received_at: EpochMs;
}

/** What a row of counters adds up: one route or the whole gateway, over a minute or an hour. */
export type ObservationGrain = 'route_minute' | 'route_hour' | 'gateway_minute' | 'gateway_hour';

/** Additive counters. Every request is counted once in each grain. Source: decisions, 17; reliability, SLO engine. */
export interface ObservationCounterRow {
  tenant_id: string;
  gateway_id: string;
  grain: ObservationGrain;
  /** The first minute that is counted, in whole minutes since 1970. */
  minute: number;
  /** Empty when no route or service was selected, and in rows of a whole gateway. */
  route_id: string;
  service_id: string;
  requests: number;
  errors_4xx: number;
  errors_5xx: number;
  latency_sum_us: number;
  request_bytes: number;
  response_bytes: number;
  /** `[[status, count], …]`, at most 500 pairs. */
  statuses: JsonText;
  /** `[[bin, count], …]` of the latency histogram, at most one pair for each bin. */
  histogram: JsonText;
  /** `[[threshold in microseconds, requests above it], …]` for thresholds that were registered at the time. */
  over_thresholds: JsonText;
}

/** One observed request. */
export interface ObservationRecordRow {
  id: string;
  tenant_id: string;
  gateway_id: string;
  request_id: string;
  occurred_at: EpochMs;
  service_id: string | null;
  route_id: string | null;
  consumer_id: string | null;
  method: string;
  path: string;
  status: number;
  status_source: string;
  latency_us: number;
  upstream_latency_us: number | null;
  gateway_latency_us: number;
  request_bytes: number;
  response_bytes: number;
  client_ip: string;
  /** `[{name, stage, outcome, duration_us}, …]` */
  plugins: JsonText;
  /** The path of the route that matched. */
  path_template: string | null;
  /** What AI plugins said of the request. */
  ai: JsonText | null;
}
