import type { ExchangeState } from '@portcullis/plugin-runtime';
import type { CompiledRoute } from '../configuration/generation.ts';
import { pathTemplate } from '../observations/path-template.ts';
import type { StatusSource } from '../observations/route-metrics.ts';
import { requestSpans } from '../telemetry/request-spans.ts';
import type { ServerCall } from '../transport/server-transport.ts';
import type { ProxyPorts } from './proxy-ports.ts';
import type { RequestHead } from './request-head.ts';

/** What is known of a request when it is over. */
export interface OverExchange {
  readonly ports: ProxyPorts;
  readonly call: ServerCall;
  /** Made when it is asked for: only records need it. */
  readonly requestId: string;
  readonly route: CompiledRoute | undefined;
  readonly head: RequestHead | undefined;
  readonly state: ExchangeState | undefined;
  /** Characters of the path that the route's path matched. */
  readonly matchedLength: number;
  /** Bytes that the client sent behind the head of its request. */
  readonly requestBytes: number;
}

/** When it began and what came of it. */
export interface ExchangeEnd {
  /** Both on the monotonic clock. */
  readonly startedMs: number;
  readonly endedMs: number;
  readonly occurredAtMs: number;
  /** Whether its raw record is wanted; see `Observer.wantsRecord`. */
  readonly isRecorded: boolean;
  readonly status: number;
  readonly statusSource: StatusSource;
  readonly upstreamLatencyUs: number | undefined;
  readonly responseBytes: number;
  /** Why the answer is not whole: the code of what failed; `undefined` when it is. */
  readonly failure: string | undefined;
}

/** Observes a request, once: counters and metrics always, its raw record unless a plugin did not want it. */
export function observeExchange(exchange: OverExchange, end: ExchangeEnd): void {
  const { ports, call, route, state, head } = exchange;
  const figures = {
    occurredAtMs: end.occurredAtMs,
    routeId: route?.id ?? '',
    serviceId: route?.service?.record.id ?? '',
    method: call.method,
    status: end.status,
    statusSource: end.statusSource,
    isLimited: state?.isLimited === true,
    latencyUs: Math.round((end.endedMs - end.startedMs) * 1000),
    upstreamLatencyUs: end.upstreamLatencyUs,
    requestBytes: exchange.requestBytes,
    responseBytes: end.responseBytes,
  };
  if (head?.trace?.recorded !== undefined) ports.traces.spans?.push(requestSpans(exchange, end));
  const said = state?.observation;
  const sampled = said?.sampled !== false;
  if (said?.ai !== undefined) ports.aiMetrics.add(said.ai, figures.latencyUs);
  if (!ports.observer.count(figures, route?.series ?? ports.metrics.unmatched, end.isRecorded, sampled)) return;
  const path = head?.path ?? '';
  const record = {
    figures,
    requestId: exchange.requestId,
    traceId: head?.trace?.traceId,
    consumerId: state?.consumer?.id,
    path,
    pathTemplate: route === undefined ? undefined : pathTemplate(route, path, exchange.matchedLength),
    clientIp: head?.clientIp ?? call.connection.peerAddress,
    plugins: state?.steps ?? [],
    failure: end.failure,
    ai: said?.ai,
  };
  ports.observer.keep(record, end.isRecorded && sampled);
}
