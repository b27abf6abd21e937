import { recordOf, type FinishedRequest, type StreamFacts } from '../observations/observer.ts';

/** What JSON leaves as it is and a terminal or a line reader may act on: DEL, C1 controls, the line separators. */
const unsafe = /[\u007f-\u009f\u2028\u2029]/g;

/**
 * One line of the access log, with its line feed: the fields of an observation record but for the plugins' steps, the trace,
 * and why an answer is not whole; for a connection that was carried byte by byte its port, its server name and how long it lasted.
 * No query, no body, no header of the client. Source: security rules, Log injection; wire contract, Observability.
 */
export function accessLine(gatewayId: string, request: FinishedRequest): string {
  const { plugins: _steps, occurred_at_ms: occurredAtMs, ...record } = recordOf(request);
  const { latency_us: latencyUs, upstream_latency_us: upstreamUs, gateway_latency_us: gatewayUs, ...rest } = record;
  const line = JSON.stringify({
    occurred_at: new Date(occurredAtMs).toISOString(),
    gateway_id: gatewayId,
    ...rest,
    ...(request.traceId === undefined ? undefined : { trace_id: request.traceId }),
    ...(request.failure === undefined ? undefined : { failure: request.failure }),
    ...(request.stream === undefined ? undefined : streamFields(request.stream)),
    latency_ms: latencyUs / 1000,
    ...(upstreamUs === undefined ? undefined : { upstream_latency_ms: upstreamUs / 1000 }),
    gateway_latency_ms: gatewayUs / 1000,
  });
  return `${line.replace(unsafe, escaped)}\n`;
}

function streamFields({ lastedUs, port, serverName }: StreamFacts): Record<string, unknown> {
  const sni = serverName === undefined ? undefined : { sni: serverName };
  return { port, ...sni, duration_ms: lastedUs / 1000 };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
