import * as v from 'valibot';
import type { Database } from '../database/database.ts';
import type { Operation, OperationInput } from '../http/operation.ts';
import type { TenantScope } from '../identity/tenant-scope.ts';
import { integerParameter, pageParameters, tenantIdParameter, textParameter } from '../http/query-parameters.ts';
import { pageHeaders } from '../resources/list-query.ts';
import { requestView } from './request-records.ts';
import { filterRequests, requestFilterParameters } from './request-query.ts';
import { readSummary } from './read-summary.ts';

/** What the observability endpoints work with. */
export interface ObservabilityOperationParts {
  readonly database: Database;
  readonly scope: TenantScope;
  readonly nowMs: () => number;
}

const windowMinutes = { minimum: 1, maximum: 43_200, fallback: 60 } as const;
const tag = 'observability';

/** What the traffic did. Source: wire contract, Observability. */
export function observabilityOperations(parts: ObservabilityOperationParts): Operation[] {
  return [summaryOperation(parts), requestsOperation(parts)];
}

function summaryOperation({ database, scope, nowMs }: ObservabilityOperationParts): Operation {
  return {
    id: 'getTrafficSummary',
    method: 'GET',
    paths: ['/admin/observability/summary'],
    tag,
    summary: 'Counts, errors and latencies of a time window',
    access: 'read',
    query: [
      tenantIdParameter,
      textParameter('gateway_id', 'Only this gateway.', 128),
      integerParameter('window_minutes', 'Length of the window.', windowMinutes),
    ],
    responses: [{ status: 200, description: 'The summary', schema: summarySchema }],
    async handler(input) {
      const tenantId = await tenantOf(scope, input);
      const toMs = nowMs();
      const minutes = Number(input.query['window_minutes']);
      const end = Math.floor(toMs / 60_000) + 1;
      const first = end - minutes;
      const gatewayId = input.query['gateway_id'];
      const scoped = { tenantId, gatewayId: typeof gatewayId === 'string' ? gatewayId : undefined };
      const summary = await readSummary(database.read, scoped, { first, end });
      const topConsumers = await topConsumersOf(database, tenantId, gatewayId, first * 60_000);
      const window = { from: new Date(first * 60_000).toISOString(), to: new Date(toMs).toISOString() };
      return { status: 200, body: { window, ...summary.toWire(), top_consumers: topConsumers } };
    },
  };
}

function tenantOf(scope: TenantScope, input: OperationInput): Promise<string> {
  return scope.resolve({ principal: input.principal, inQuery: input.query['tenant_id'], isWrite: false });
}

/** Consumers that a summary names. */
const topConsumersMax = 10;

/** Who sent the most of the requests that are kept as records. */
async function topConsumersOf(
  database: Database,
  tenantId: string,
  gatewayId: unknown,
  fromMs: number,
): Promise<{ consumer_id: string | null; requests: number }[]> {
  let query = database.read
    .selectFrom('observation_records')
    .select(({ fn }) => ['consumer_id', fn.countAll<number>().as('requests')])
    .where('tenant_id', '=', tenantId)
    .where('occurred_at', '>=', fromMs)
    .where('consumer_id', 'is not', null);
  if (typeof gatewayId === 'string') query = query.where('gateway_id', '=', gatewayId);
  const rows = await query.groupBy('consumer_id').orderBy('requests', 'desc').limit(topConsumersMax).execute();
  return rows.map((row) => ({ consumer_id: row.consumer_id, requests: row.requests }));
}

function requestsOperation({ database, scope }: ObservabilityOperationParts): Operation {
  return {
    id: 'listRequests',
    method: 'GET',
    paths: ['/admin/observability/requests'],
    tag,
    summary: 'Observed requests, newest first',
    access: 'read',
    query: [tenantIdParameter, ...pageParameters, ...requestFilterParameters],
    responses: [
      {
        status: 200,
        description: 'A page of requests',
        schema: requestListSchema,
        headers: ['x-total-count', 'link'],
      },
    ],
    async handler(input) {
      const tenantId = await tenantOf(scope, input);
      const skip = Number(input.query['skip']);
      const limit = Number(input.query['limit']);
      const all = database.read.selectFrom('observation_records').where('tenant_id', '=', tenantId);
      const rows = await filterRequests(all.selectAll(), input.query)
        .orderBy('occurred_at', 'desc')
        .orderBy('id', 'desc')
        .offset(skip)
        .limit(limit)
        .execute();
      const counted = await filterRequests(
        all.select(({ fn }) => fn.countAll<number>().as('total')),
        input.query,
      ).executeTakeFirstOrThrow();
      const { total } = counted;
      return {
        status: 200,
        headers: pageHeaders(input.request.path, input.query, total),
        body: { items: rows.map(requestView), total, skip, limit },
      };
    },
  };
}

const milliseconds = v.nullable(v.number());

const summarySchema = v.pipe(
  v.object({
    window: v.object({ from: v.string(), to: v.string() }),
    totals: v.object({
      requests: v.number(),
      errors_4xx: v.number(),
      errors_5xx: v.number(),
      error_rate: v.number(),
      latency_ms: v.object({ p50: milliseconds, p95: milliseconds, p99: milliseconds, avg: milliseconds }),
      bytes_in: v.number(),
      bytes_out: v.number(),
    }),
    /** Width of the points; the first and last count only what lies in the window. */
    series_step_minutes: v.number(),
    series: v.array(v.object({ at: v.string(), requests: v.number(), errors_5xx: v.number(), p95_ms: milliseconds })),
    by_status: v.record(v.string(), v.number()),
    top_routes: v.array(
      v.object({ route_id: v.string(), requests: v.number(), errors_5xx: v.number(), p95_ms: milliseconds }),
    ),
    top_consumers: v.array(v.object({ consumer_id: v.nullable(v.string()), requests: v.number() })),
  }),
  v.title('TrafficSummary'),
);

const observedRequest = v.pipe(
  v.object({
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
  }),
  v.title('ObservedRequest'),
);

const requestListSchema = v.pipe(
  v.object({ items: v.array(observedRequest), total: v.number(), skip: v.number(), limit: v.number() }),
  v.title('ObservedRequestList'),
);
