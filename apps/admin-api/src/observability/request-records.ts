import type { RequestRecord } from '@portcullis/resources';
import type { ObservationRecordRow } from '../database/observation-tables.ts';
import type { ArrivingRecord } from './add-records.ts';
import type { CounterOwner } from './counter-sums.ts';

interface StoredStep {
  readonly name: string;
  readonly stage: string;
  readonly outcome: string;
  readonly duration_us: number;
}

/** An observed request as the wire shows it. Source: wire contract, Observability. */
export function requestView(row: ObservationRecordRow): Record<string, unknown> {
  const steps = JSON.parse(row.plugins) as StoredStep[];
  return {
    id: row.id,
    request_id: row.request_id,
    occurred_at: new Date(row.occurred_at).toISOString(),
    gateway_id: row.gateway_id,
    service_id: row.service_id,
    route_id: row.route_id,
    consumer_id: row.consumer_id,
    method: row.method,
    path: row.path,
    path_template: row.path_template,
    status: row.status,
    status_source: row.status_source,
    latency_ms: row.latency_us / 1000,
    upstream_latency_ms: row.upstream_latency_us === null ? null : row.upstream_latency_us / 1000,
    gateway_latency_ms: row.gateway_latency_us / 1000,
    request_bytes: row.request_bytes,
    response_bytes: row.response_bytes,
    client_ip: row.client_ip,
    plugins: steps.map(({ duration_us: durationUs, ...step }) => ({ ...step, duration_ms: durationUs / 1000 })),
    ai: row.ai === null ? null : (JSON.parse(row.ai) as Record<string, unknown>),
  };
}

/** A record as it is stored, under the tenant and gateway of the node that sent it. */
export function recordRow(node: CounterOwner, record: RequestRecord): ArrivingRecord {
  return {
    id: record.id,
    tenant_id: node.tenantId,
    gateway_id: node.gatewayId,
    request_id: record.request_id,
    occurred_at: record.occurred_at_ms,
    service_id: record.service_id ?? null,
    route_id: record.route_id ?? null,
    consumer_id: record.consumer_id ?? null,
    method: record.method,
    path: record.path,
    path_template: record.path_template ?? null,
    status: record.status,
    status_source: record.status_source,
    latency_us: record.latency_us,
    upstream_latency_us: record.upstream_latency_us ?? null,
    gateway_latency_us: record.gateway_latency_us,
    request_bytes: record.request_bytes,
    response_bytes: record.response_bytes,
    client_ip: record.client_ip,
    plugins: JSON.stringify(record.plugins),
    ai: record.ai === undefined ? null : JSON.stringify(record.ai),
  };
}
