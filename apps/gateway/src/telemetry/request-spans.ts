import { endFailures } from '@portcullis/plugin-runtime';
import { pathTemplate } from '../observations/path-template.ts';
import type { ExchangeEnd, OverExchange } from '../proxy/observe-exchange.ts';
import type { RequestHead } from '../proxy/request-head.ts';
import type { RecordedTrace, RequestTrace, TracedAttempt } from '../tracing/request-trace.ts';
import type { FinishedSpan } from './finished-span.ts';

/** Longest text of a client's in a span, in characters. */
const textLengthMax = 1024;

/** Status that a request has whose client left. It was never sent. */
const clientLeft = 499;

/** Ends that the client brought about. */
const clientFailures: ReadonlySet<string> = new Set([endFailures.clientLeft.code, endFailures.clientTooSlow.code]);

/** Methods that are named as they are; others could be anything. Source: OpenTelemetry, HTTP spans, `http.request.method`. */
const methods: ReadonlySet<string> = new Set([
  ...['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE'],
]);

type Attributes = Record<string, string | number>;

/**
 * The spans of a request that is over: the server's, and one for each try of an upstream. No query, no body, and no field but the user agent.
 * Source: OpenTelemetry, Semantic conventions for HTTP spans (stable); ADR 0056.
 */
export function requestSpans(exchange: OverExchange, end: ExchangeEnd): readonly FinishedSpan[] {
  const { head } = exchange;
  const trace = head?.trace;
  if (head === undefined || trace?.recorded === undefined) return [];
  const { recorded } = trace;
  const epochOf = (monotonicMs: number): number => end.occurredAtMs + (monotonicMs - end.startedMs);
  const tries = recorded.attempts.map((attempt, resends) =>
    attemptSpan(trace, recorded, attempt, resends, exchange.call.method, end.endedMs, epochOf),
  );
  return [serverSpan(exchange, end, head, trace, recorded), ...tries];
}

function serverSpan(
  exchange: OverExchange,
  end: ExchangeEnd,
  head: RequestHead,
  trace: RequestTrace,
  { spanId }: RecordedTrace,
): FinishedSpan {
  const { call, route, state } = exchange;
  const template = route === undefined ? undefined : pathTemplate(route, head.path, exchange.matchedLength);
  const attributes: Attributes = {
    ...methodAttributes(call.method),
    'url.path': cut(head.path),
    'url.scheme': head.encrypted ? 'https' : 'http',
    'server.address': cut(head.host),
    'server.port': portOf(head.authority) ?? call.connection.localPort,
    'client.address': head.clientIp,
    'network.peer.address': call.connection.peerAddress,
    'network.protocol.version': call.httpVersion,
    'http.request.body.size': call.bodyBytes,
    'http.response.body.size': end.responseBytes,
    'portcullis.request_id': exchange.requestId,
    'portcullis.status_source': end.statusSource,
  };
  const userAgent = fieldOf(head.pairs, 'user-agent');
  if (userAgent !== undefined) attributes['user_agent.original'] = cut(userAgent);
  if (end.status !== clientLeft) attributes['http.response.status_code'] = end.status;
  if (template !== undefined) attributes['http.route'] = template;
  const gatewayId = exchange.ports.live.current?.gateway.id;
  if (gatewayId !== undefined) attributes['portcullis.gateway.id'] = gatewayId;
  if (route !== undefined) attributes['portcullis.route.id'] = route.id;
  if (route?.service !== undefined) attributes['portcullis.service.id'] = route.service.record.id;
  if (state?.consumer !== undefined) attributes['portcullis.consumer.id'] = state.consumer.id;
  // A client that leaves is no error of the server's; an answer that it could not finish is, whatever status is out already.
  const isError = end.status >= 500 || (end.failure !== undefined && !clientFailures.has(end.failure));
  const errorType = end.failure ?? (isError ? `${end.status}` : undefined);
  if (errorType !== undefined) attributes['error.type'] = errorType;
  return {
    ...{ traceId: trace.traceId, spanId, parentId: trace.parentId, isParentRemote: true, state: trace.state },
    kind: 'server',
    name: template === undefined ? nameOf(call.method) : `${nameOf(call.method)} ${template}`,
    startMs: end.occurredAtMs,
    endMs: end.occurredAtMs + (end.endedMs - end.startedMs),
    attributes,
    isError,
  };
}

function attemptSpan(
  trace: RequestTrace,
  server: RecordedTrace,
  attempt: TracedAttempt,
  resends: number,
  method: string,
  endedMs: number,
  epochOf: (monotonicMs: number) => number,
): FinishedSpan {
  const { scheme, host, port, path } = attempt.target;
  const attributes: Attributes = {
    ...methodAttributes(method),
    'url.full': cut(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}${path}`),
    'server.address': host,
    'server.port': port,
  };
  if (resends > 0) attributes['http.request.resend_count'] = resends;
  if (attempt.status !== undefined) attributes['http.response.status_code'] = attempt.status;
  const failure = attempt.failure ?? (attempt.endedMs === undefined ? 'aborted' : undefined);
  const isError = failure !== undefined || (attempt.status ?? 0) >= 400;
  if (isError) attributes['error.type'] = failure ?? `${attempt.status}`;
  return {
    ...{ traceId: trace.traceId, spanId: attempt.spanId, parentId: server.spanId },
    ...{ isParentRemote: false, state: trace.state, kind: 'client', name: nameOf(method) },
    startMs: epochOf(attempt.startedMs),
    // One that nobody waits for any more ended with the request.
    endMs: epochOf(attempt.endedMs ?? endedMs),
    attributes,
    isError,
  };
}

function methodAttributes(method: string): Attributes {
  if (methods.has(method)) return { 'http.request.method': method };
  return { 'http.request.method': '_OTHER', 'http.request.method_original': cut(method) };
}

function nameOf(method: string): string {
  return methods.has(method) ? method : 'HTTP';
}

function portOf(authority: string): number | undefined {
  const [, port] = /:(\d{1,5})$/.exec(authority) ?? [];
  return port === undefined ? undefined : Number(port);
}

function fieldOf(pairs: readonly string[], lowerName: string): string | undefined {
  for (let at = 0; at < pairs.length; at += 2) if (pairs[at]?.toLowerCase() === lowerName) return pairs[at + 1];
}

function cut(text: string): string {
  return text.length > textLengthMax ? text.slice(0, textLengthMax) : text;
}
