import type { EpochMs, JsonText } from './column-values.ts';

/** Parts of batches that were counted, so that a batch sent again is not counted twice. */
export interface ObservationBatchPartRow {
  tenant_id: string;
  data_plane_id: string;
  boot_id: string;
  sequence: number;
  /** Long batches are counted in several transactions, each of which takes one part. */
  part: number;
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
  /** Bins of the latency histogram with their counts, at most one pair for each bin; `readHistogram` reads it. */
  histogram: string;
  /** `[[threshold in microseconds, requests above it], …]` for thresholds that were registered at the time. */
  over_thresholds: JsonText;
}

/**
 * What was not counted or kept, by the hour in which it came in. Objectives show the sums of their window. Rows go as counters do,
 * after the tenant's days of roll-ups.
 */
export interface ObservationDropRow {
  tenant_id: string;
  gateway_id: string;
  /** The first minute of the hour of receipt, in whole minutes since 1970. */
  minute: number;
  /** Requests in counters that came after the tenant's retention of counters. */
  dropped_late: number;
  /** Requests in counters that lay more than five minutes ahead. */
  dropped_future: number;
  /** Raw records that came too late or from the future, and those that the node had no room for. No counter lacks them. */
  dropped_records: number;
}

/** How many raw records of a tenant there have been: the number of the last. */
export interface ObservationArrivalRow {
  tenant_id: string;
  arrival: number;
}

/** How long a tenant's observations are kept, where it is not as long as everyone's. */
export interface ObservationRetentionRuleRow {
  tenant_id: string;
  request_days: number;
  rollup_days: number;
}

/** One observed request. */
export interface ObservationRecordRow {
  tenant_id: string;
  /** 1, 2, … in the order in which the tenant's records became visible, without a gap when they were stored. */
  arrival: number;
  /** As the node names the record; nothing makes it unique. */
  id: string;
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
