import type { RequestRecord } from '@portcullis/resources';
import type { MinuteCounters } from './minute-counters.ts';
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
  readonly consumerId: string | undefined;
  readonly path: string;
  readonly clientIp: string;
  readonly plugins: RequestRecord['plugins'];
}

const pathLengthMax = 2048;
const methodLengthMax = 32;
const stepsMax = 64;

/** Takes finished requests in: counters, metrics and one raw record each. */
export class Observer {
  readonly #counters: MinuteCounters;
  readonly #records: RecordRing;

  constructor(counters: MinuteCounters, records: RecordRing) {
    this.#counters = counters;
    this.#records = records;
  }

  /** Whether the raw record of a request that begins now will probably be kept: only then are plugins' steps recorded. */
  get keepsRecords(): boolean {
    return this.#records.hasRoom;
  }

  /** Counts a request. @returns whether {@link keep} is wanted for it */
  count(figures: RequestFigures, series: RouteSeries): boolean {
    const { latencyUs, upstreamLatencyUs, requestBytes, responseBytes } = figures;
    this.#counters.count(Math.floor(figures.occurredAtMs / 60_000), figures);
    series.count(figures.method, figures.status, figures.statusSource);
    series.total.add(latencyUs);
    series.overhead.add(overheadUs(figures));
    if (upstreamLatencyUs !== undefined) series.upstream.add(upstreamLatencyUs);
    series.requestBytes += requestBytes;
    series.responseBytes += responseBytes;
    if (this.#records.hasRoom) return true;
    this.#records.drop();
    return false;
  }

  /** Keeps the raw record of a request that was counted. */
  keep(request: FinishedRequest): void {
    this.#records.push(request);
  }
}

/** The gateway's own part of the time. */
function overheadUs({ latencyUs, upstreamLatencyUs }: RequestFigures): number {
  return Math.max(0, latencyUs - (upstreamLatencyUs ?? 0));
}

/** A finished request in the form of a report. */
export function recordOf({ figures, requestId, consumerId, path, clientIp, plugins }: FinishedRequest): RequestRecord {
  const { method, routeId, serviceId, upstreamLatencyUs } = figures;
  return {
    id: requestId,
    request_id: requestId,
    occurred_at_ms: figures.occurredAtMs,
    ...(serviceId === '' ? undefined : { service_id: serviceId }),
    ...(routeId === '' ? undefined : { route_id: routeId }),
    ...(consumerId === undefined ? undefined : { consumer_id: consumerId }),
    method: method.slice(0, methodLengthMax),
    path: path.slice(0, pathLengthMax),
    status: figures.status,
    status_source: figures.statusSource,
    latency_us: figures.latencyUs,
    ...(upstreamLatencyUs === undefined ? undefined : { upstream_latency_us: upstreamLatencyUs }),
    gateway_latency_us: overheadUs(figures),
    request_bytes: figures.requestBytes,
    response_bytes: figures.responseBytes,
    client_ip: clientIp,
    plugins: plugins.slice(0, stepsMax),
  };
}
