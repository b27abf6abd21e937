import * as v from 'valibot';

/** Milliseconds; `null` where there is nothing to measure. */
export const milliseconds = v.nullable(v.number());

const entries = {
  id: v.string(),
  request_id: v.string(),
  occurred_at: v.string(),
  gateway_id: v.string(),
  service_id: v.nullable(v.string()),
  route_id: v.nullable(v.string()),
  consumer_id: v.nullable(v.string()),
  method: v.string(),
  path: v.string(),
  path_template: v.nullable(v.string()),
  status: v.number(),
  status_source: v.picklist(['upstream', 'gateway', 'plugin']),
  latency_ms: v.number(),
  upstream_latency_ms: milliseconds,
  gateway_latency_ms: v.number(),
  request_bytes: v.number(),
  response_bytes: v.number(),
  client_ip: v.string(),
  plugins: v.array(v.object({ name: v.string(), stage: v.string(), outcome: v.string(), duration_ms: v.number() })),
  ai: v.nullable(v.record(v.string(), v.unknown())),
};

/** A request as `requestView` shows it. Source: wire contract, Observability. */
export const observedRequestSchema: v.GenericSchema = v.pipe(v.object(entries), v.title('ObservedRequest'));

/** The same with how many further ones have its request ID. */
export const requestDetailSchema: v.GenericSchema = v.pipe(
  v.object({ ...entries, others: v.number() }),
  v.title('ObservedRequestDetail'),
);
