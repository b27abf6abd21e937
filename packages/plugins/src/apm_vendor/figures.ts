import type { LogRecord } from '../shared/records/log-record.ts';

/** What a record counts for, by name. */
export function figuresOf(record: LogRecord, prefix: string): Readonly<Record<string, number>> {
  const { latency_ms: latencyMs, upstream_latency_ms: upstreamMs } = record;
  return {
    [`${prefix}.requests`]: 1,
    [`${prefix}.errors`]: isError(record) ? 1 : 0,
    [`${prefix}.request_bytes`]: record.request_bytes ?? 0,
    [`${prefix}.response_bytes`]: record.response_bytes ?? 0,
    ...(latencyMs === null ? {} : { [`${prefix}.latency_ms`]: latencyMs }),
    ...(upstreamMs === null ? {} : { [`${prefix}.upstream_latency_ms`]: upstreamMs }),
  };
}

/** As availability counts it: the client's mistakes are none of the service's. Source: spec, SLO object. */
function isError({ status }: LogRecord): boolean {
  return status === null || status >= 500;
}
