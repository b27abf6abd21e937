import * as v from 'valibot';
import { latencyBinMax } from './latency-histogram.ts';
import { isNestedWithin } from './nesting.ts';

/**
 * Bounds of a batch. A node with more to say sends several. A counter may stand for days that a node was cut off, hence
 * the room in `countMax`; 10,000 connections that were open for a day make a latency sum of 8.64e14.
 */
export const observationLimits = {
  recordsMax: 2000,
  countersMax: 5000,
  stepsMax: 64,
  /** Requests in one number of a counter. */
  countMax: 1e12,
  /** Microseconds or bytes in one sum. */
  sumMax: 1e15,
  /** Thresholds that one counter counts against. */
  thresholdsMax: 64,
  /** Characters of one record's `ai` as JSON, and how deep it may be nested. */
  aiLengthMax: 4096,
  aiDepthMax: 8,
} as const;

const statusMin = 100;
const statusMax = 599;
const latencyUsMax = 86_400_000_000;

const integerBetween = (minimum: number, maximum: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(minimum), v.maxValue(maximum));
const count = integerBetween(0, observationLimits.countMax);
const sum = integerBetween(0, observationLimits.sumMax);
const microseconds = integerBetween(0, latencyUsMax);
const status = integerBetween(statusMin, statusMax);
const pairsOf = (keyMin: number, keyMax: number, lengthMax: number) =>
  v.pipe(v.array(v.tuple([integerBetween(keyMin, keyMax), count])), v.maxLength(lengthMax));
const recordId = v.pipe(v.string(), v.minLength(1), v.maxLength(128));

/** Counters of one minute and route. Adding up any number of them, in any order, gives the exact total. */
export const minuteCounter = v.strictObject({
  /** Whole minutes since 1970-01-01 UTC, of the moment when the request arrived. */
  minute: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1e9)),
  /** Absent when no route was matched. */
  route_id: v.optional(recordId),
  service_id: v.optional(recordId),
  requests: count,
  errors_4xx: count,
  errors_5xx: count,
  latency_sum_us: sum,
  request_bytes: sum,
  response_bytes: sum,
  /** `[status, count]` for every status that was sent, 100 to 599. */
  statuses: pairsOf(statusMin, statusMax, statusMax - statusMin + 1),
  /** `[bin, count]`; bins as `latencyBin` numbers them, 0 to `latencyBinMax`. */
  histogram: pairsOf(0, latencyBinMax, latencyBinMax + 1),
  /** `[threshold in microseconds, requests strictly above it]` for the thresholds that the configuration registers. */
  over: pairsOf(0, latencyUsMax, observationLimits.thresholdsMax),
});

/** See {@link minuteCounter}. */
export type MinuteCounter = v.InferOutput<typeof minuteCounter>;

/** One hook that ran for a request. */
export const pluginStep = v.strictObject({
  name: v.pipe(v.string(), v.maxLength(64)),
  stage: v.picklist(['request', 'response', 'error', 'stream', 'tcp']),
  outcome: v.picklist(['continue', 'respond', 'failed', 'skipped']),
  duration_us: microseconds,
});

/** One request as it is kept: no bodies, no credentials, no query. */
export const requestRecord = v.strictObject({
  id: recordId,
  request_id: recordId,
  /** Milliseconds since 1970 when the request arrived. */
  occurred_at_ms: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1e14)),
  service_id: v.optional(recordId),
  route_id: v.optional(recordId),
  consumer_id: v.optional(recordId),
  method: v.pipe(v.string(), v.maxLength(32)),
  path: v.pipe(v.string(), v.maxLength(2048)),
  /** The path of the route that matched, as the route states it (`~` before an expression). Absent without one. */
  path_template: v.optional(v.pipe(v.string(), v.maxLength(2048))),
  status,
  status_source: v.picklist(['upstream', 'gateway', 'plugin']),
  latency_us: microseconds,
  upstream_latency_us: v.optional(microseconds),
  gateway_latency_us: microseconds,
  request_bytes: sum,
  response_bytes: sum,
  client_ip: v.pipe(v.string(), v.maxLength(64)),
  plugins: v.pipe(v.array(pluginStep), v.maxLength(observationLimits.stepsMax)),
  /** What AI plugins said of the request: model, provider, tokens. Absent when none did. */
  ai: v.optional(
    v.pipe(
      v.record(v.string(), v.unknown()),
      v.check((said) => isAiBounded(said), 'is too large or too deep'),
    ),
  ),
});

/** See {@link requestRecord}. */
export type RequestRecord = v.InferOutput<typeof requestRecord>;

/**
 * What a node reports: unsampled counters and raw records, which sampling may thin. `(boot_id, sequence)` names the batch,
 * so that one sent again is counted once. Source: decisions, 17.
 */
export const observationBatch = v.strictObject({
  boot_id: v.pipe(v.string(), v.uuid()),
  sequence: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(Number.MAX_SAFE_INTEGER)),
  /** Raw records that the node dropped since the last batch because its buffer was full. Counters are never dropped. */
  dropped_records: integerBetween(0, Number.MAX_SAFE_INTEGER),
  counters: v.pipe(v.array(minuteCounter), v.maxLength(observationLimits.countersMax)),
  records: v.pipe(v.array(requestRecord), v.maxLength(observationLimits.recordsMax)),
});

/** See {@link observationBatch}. */
export type ObservationBatch = v.InferOutput<typeof observationBatch>;

/** What is too deep is not written to see how long it is. */
function isAiBounded(said: object): boolean {
  const { aiDepthMax, aiLengthMax } = observationLimits;
  return isNestedWithin(said, aiDepthMax) && JSON.stringify(said).length <= aiLengthMax;
}
