import type { Clock, ConsumerIdentity, Exchange, ExchangeEnd, ExchangeFailure } from '@portcullis/plugin-runtime';
import { notedCorrelationId } from './correlation-note.ts';
import { RECORD_HEADERS_MAX, RECORD_TEXT_LENGTH_MAX, type LogRecord } from './log-record.ts';
import { loggedHeaders, type HeaderNames } from './logged-headers.ts';
import type { RecordSettings } from './record-fields.ts';
import { redactedQuery } from './redaction.ts';
import { timestampOf } from './timestamp.ts';
import { traceIds } from './trace-parent.ts';

/** The header that holds a correlation ID where nothing else is said. */
const CORRELATION_HEADER = 'x-correlation-id';

const NO_NAMES: HeaderNames = new Set<string>();

/**
 * The record of a request as it stands.
 * @param credentials names of headers that are redacted whatever they are called
 * @param end `undefined` for a record that leaves before the answer: it has no sizes, and the time so far
 */
export function recordOf(
  exchange: Exchange,
  end: ExchangeEnd | undefined,
  settings: RecordSettings,
  clock: Clock,
  credentials: HeaderNames = NO_NAMES,
): LogRecord {
  const { facts, request, consumer, answer, startedMs } = exchange;
  const { headers } = request;
  const figures = end?.figures;
  const took = figures?.latencyMs ?? (startedMs === undefined ? undefined : clock.monotonicMs() - startedMs);
  const upstreamTook = figures?.upstreamLatencyMs;
  const trace = traceIds(headers.get('traceparent'));
  const record: LogRecord = {
    timestamp: timestampOf(clock.nowMs() - (took ?? 0)),
    request_id: cut(headerOf(exchange, settings.requestIdHeader) ?? facts.requestId),
    correlation_id: orNull(correlationId(exchange, settings)),
    trace_id: trace === undefined ? null : trace.traceId,
    span_id: trace === undefined ? null : trace.spanId,
    tenant_id: facts.tenantId,
    gateway_id: facts.gateway.id,
    workspace_id: facts.workspaceId ?? null,
    route: facts.route === undefined ? null : { id: facts.route.id, name: facts.route.name },
    service: facts.service === undefined ? null : { id: facts.service.id, name: facts.service.name },
    consumer: consumer === undefined ? null : consumerOf(consumer),
    credential_id: consumer?.credentialId ?? null,
    method: cut(request.method),
    scheme: request.scheme,
    host: cut(request.host),
    path: cut(request.clientPath),
    query: redactedQuery(request.query, RECORD_TEXT_LENGTH_MAX),
    status: (end === undefined ? answer?.status : end.status) ?? null,
    status_source: answer?.source ?? null,
    latency_ms: took === undefined ? null : toMicroseconds(took),
    upstream_latency_ms: upstreamTook === undefined ? null : toMicroseconds(upstreamTook),
    gateway_latency_ms: took === undefined ? null : toMicroseconds(took - (upstreamTook ?? 0)),
    request_bytes: figures?.requestBytes ?? null,
    response_bytes: figures?.responseBytes ?? null,
    client_ip: request.clientIp,
    user_agent: orNull(headers.get('user-agent')),
    complete: end?.isComplete ?? null,
    failure: failureOf(exchange.trouble),
  };
  if (settings.headers === false) return record;
  const requestHeaders = loggedHeaders(headers, settings.headers, credentials);
  const responseHeaders =
    answer === undefined ? undefined : loggedHeaders(answer.headers, settings.headers, credentials);
  if (requestHeaders !== undefined) record.request_headers = requestHeaders;
  if (responseHeaders !== undefined) record.response_headers = responseHeaders;
  return record;
}

function correlationId(exchange: Exchange, { correlationIdHeader }: RecordSettings): string | undefined {
  if (correlationIdHeader !== undefined) return headerOf(exchange, correlationIdHeader);
  return notedCorrelationId(exchange) ?? headerOf(exchange, CORRELATION_HEADER);
}

function headerOf({ request }: Exchange, name: string | undefined): string | undefined {
  const value = name === undefined ? undefined : request.headers.get(name);
  return value === '' ? undefined : value;
}

function consumerOf({ id, username, customId, groups }: ConsumerIdentity): LogRecord['consumer'] {
  const kept = groups.length > RECORD_HEADERS_MAX ? groups.slice(0, RECORD_HEADERS_MAX) : groups;
  return { id: cut(id), username: orNull(username), custom_id: orNull(customId), groups: kept.map(cut) };
}

/** Its message is for the client, and may name what a log's reader must not see. */
function failureOf(failure: ExchangeFailure | undefined): LogRecord['failure'] {
  return failure === undefined ? null : { code: failure.code, plugin: failure.plugin ?? null };
}

function orNull(value: string | undefined): string | null {
  return value === undefined ? null : cut(value);
}

function cut(value: string): string {
  return value.length > RECORD_TEXT_LENGTH_MAX ? value.slice(0, RECORD_TEXT_LENGTH_MAX) : value;
}

/** Milliseconds with three digits: more is noise, and longer lines. Clocks of the host may differ, so it is never below 0. */
function toMicroseconds(durationMs: number): number {
  return durationMs <= 0 ? 0 : Math.round(durationMs * 1000) / 1000;
}
