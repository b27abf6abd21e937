import { latencyUsMax, type RequestRecord } from '@portcullis/resources';
import { aiFields } from './ai-fields.ts';
import type { MinuteCounters } from './minute-counters.ts';
import { RecordAllowance } from './record-allowance.ts';
import type { RecordRing } from './record-ring.ts';
import type { RouteSeries, StatusSource } from './route-metrics.ts';

/** What counters and metrics take of a finished request. */
export interface RequestFigures {
  readonly occurredAtMs: number;
  /** Empty when no route was matched. */
  readonly routeId: string;
  readonly serviceId: string;
  readonly method: string;
  readonly status: number;
  readonly statusSource: StatusSource;
  /** Whether a plugin of the category rate_limit refused it. Default false. */
  readonly isLimited?: boolean;
  readonly latencyUs: number;
  /** Time between sending to the upstream and the end of its answer; `undefined` when it was not asked. */
  readonly upstreamLatencyUs: number | undefined;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

/** A finished request as its raw record is made of it. */
export interface FinishedRequest {
  readonly figures: RequestFigures;
  readonly requestId: string;
  /** Of its trace context; `undefined` where there is none. */
  readonly traceId?: string | undefined;
  readonly consumerId: string | undefined;
  readonly path: string;
  /** The path of the route that matched, as the route states it; `undefined` when there is none. */
  readonly pathTemplate: string | undefined;
  readonly clientIp: string;
  /** Why the answer is not whole: the code of what failed; `undefined` when it is. */
  readonly failure?: string | undefined;
  readonly plugins: RequestRecord['plugins'];
  /** What AI plugins said of the request, if any did. */
  readonly ai: Readonly<Record<string, unknown>> | undefined;
  /** Of a connection that was carried byte by byte; absent for requests. */
  readonly stream?: StreamFacts;
}

/** What the access log says of a connection that was carried byte by byte. */
export interface StreamFacts {
  readonly lastedUs: number;
  /** Where it came in. */
  readonly port: number;
  readonly serverName: string | undefined;
}

const pathLengthMax = 2048;
const methodLengthMax = 32;
const stepsMax = 64;

/** Where the access log's lines come from. */
export interface AccessSink {
  push(request: FinishedRequest): void;
}

/** Takes finished requests in: counters, metrics and one raw record each. */
export class Observer {
  readonly #counters: MinuteCounters;
  readonly #records: RecordRing;
  readonly #log: AccessSink | undefined;
  readonly #allowance: RecordAllowance;

  /**
   * @param log gets every finished request, whatever becomes of its raw record; `undefined` when there is none
   * @param allowance how many raw records are kept
   */
  constructor(
    counters: MinuteCounters,
    records: RecordRing,
    log?: AccessSink,
    allowance: RecordAllowance = new RecordAllowance(),
  ) {
    this.#allowance = allowance;
    this.#counters = counters;
    this.#records = records;
    this.#log = log;
  }

  /**
   * Whether the raw record of a request that begins now is to be kept: only then are plugins' steps recorded. After `true`,
   * {@link count} is due once.
   * @param nowMs monotonic
   */
  wantsRecord(nowMs: number): boolean {
    return this.#records.hasRoom && this.#allowance.take(nowMs);
  }

  /**
   * Counts a request.
   * @param wanted what {@link wantsRecord} said when it began
   * @param sampled `false` when a plugin decided that its raw record is not wanted. Counters are exact in any case.
   * @returns whether {@link keep} is due for it
   */
  count(figures: RequestFigures, series: RouteSeries, wanted: boolean, sampled: boolean): boolean {
    const { latencyUs, upstreamLatencyUs, requestBytes, responseBytes } = figures;
    this.#counters.count(Math.floor(figures.occurredAtMs / 60_000), figures);
    series.count(figures.method, figures.status, figures.statusSource, figures.isLimited);
    series.total.add(latencyUs);
    series.overhead.add(overheadUs(figures));
    if (upstreamLatencyUs !== undefined) series.upstream.add(upstreamLatencyUs);
    series.requestBytes += requestBytes;
    series.responseBytes += responseBytes;
    if (wanted && !sampled) this.#allowance.giveBack();
    else if (!wanted && sampled) this.#records.drop();
    return (wanted && sampled) || this.#log !== undefined;
  }

  /**
   * Logs a request that was counted, and keeps its raw record.
   * @param isKept whether it was wanted, and no plugin decided against it
   */
  keep(request: FinishedRequest, isKept: boolean): void {
    this.#log?.push(request);
    // What is full drops and counts it.
    if (isKept) this.#records.push(request);
  }
}

/** The gateway's own part of the time. */
function overheadUs({ latencyUs, upstreamLatencyUs }: RequestFigures): number {
  return Math.max(0, latencyUs - (upstreamLatencyUs ?? 0));
}

/** A finished request in the form of a report. */
export function recordOf(request: FinishedRequest): RequestRecord {
  const { figures, requestId, consumerId, path, clientIp, plugins } = request;
  const { method, routeId, serviceId, upstreamLatencyUs } = figures;
  const record: Mutable<RequestRecord> = {
    id: requestId,
    request_id: requestId,
    occurred_at_ms: figures.occurredAtMs,
    method: short(method, methodLengthMax),
    path: short(path, pathLengthMax),
    status: figures.status,
    status_source: figures.statusSource,
    latency_us: reported(figures.latencyUs),
    gateway_latency_us: reported(overheadUs(figures)),
    request_bytes: figures.requestBytes,
    response_bytes: figures.responseBytes,
    client_ip: clientIp,
    plugins: reportedSteps(plugins),
  };
  // Thousands of records a second: assignments cost a fraction of what spreading optional parts does.
  if (serviceId !== '') record.service_id = serviceId;
  if (routeId !== '') record.route_id = routeId;
  if (consumerId !== undefined) record.consumer_id = consumerId;
  if (request.pathTemplate !== undefined) record.path_template = short(request.pathTemplate, pathLengthMax);
  if (upstreamLatencyUs !== undefined) record.upstream_latency_us = reported(upstreamLatencyUs);
  const ai = aiFields(request.ai);
  if (ai !== undefined) record.ai = ai;
  return record;
}

/** Connections may be open for longer than a report can say: one of them must not spoil its batch. */
function reported(latencyUs: number): number {
  return Math.min(latencyUs, latencyUsMax);
}

function reportedSteps(steps: RequestRecord['plugins']): RequestRecord['plugins'] {
  const known = steps.length > stepsMax ? steps.slice(0, stepsMax) : steps;
  return known.some((step) => step.duration_us > latencyUsMax)
    ? known.map((step) => ({ ...step, duration_us: reported(step.duration_us) }))
    : known;
}

type Mutable<Record> = { -readonly [Field in keyof Record]: Record[Field] };

function short(text: string, lengthMax: number): string {
  return text.length > lengthMax ? text.slice(0, lengthMax) : text;
}
