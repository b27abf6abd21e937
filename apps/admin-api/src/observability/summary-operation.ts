import * as v from 'valibot';
import type { Executor } from '../database/database.ts';
import type { Operation } from '../http/operation.ts';
import { integerParameter, tenantIdParameter, textParameter } from '../http/query-parameters.ts';
import type { CounterScope } from './counter-queries.ts';
import { givenText, observabilityTag, readTenant, type ObservabilityOperationParts } from './observability-parts.ts';
import { milliseconds } from './observed-request-schema.ts';
import { readSummary } from './read-summary.ts';
import { summaryWindow } from './summary-window.ts';

const windowMinutes = { minimum: 1, maximum: 43_200, fallback: 60 } as const;

/** Counts of a window. Source: wire contract, Observability. */
export function summaryOperation({ database, scope, nowMs }: ObservabilityOperationParts): Operation {
  return {
    id: 'getTrafficSummary',
    method: 'GET',
    paths: ['/admin/observability/summary'],
    tag: observabilityTag,
    summary: 'Counts, errors and latencies of a time window',
    access: 'read',
    query: [
      tenantIdParameter,
      textParameter('gateway_id', 'Only this gateway.', 128),
      integerParameter(
        'window_minutes',
        'Length of the window. One of nine days and more begins with a whole hour.',
        windowMinutes,
      ),
    ],
    responses: [{ status: 200, description: 'The summary', schema: summarySchema }],
    async handler(input) {
      const tenantId = await readTenant(scope, input);
      const toMs = nowMs();
      const minutes = Number(input.query['window_minutes']);
      const { first, end } = summaryWindow(Math.floor(toMs / 60_000) + 1, minutes);
      const gatewayId = givenText(input, 'gateway_id');
      const scoped = { tenantId, gatewayId };
      const summary = await readSummary(database.read, scoped, { first, end });
      const topConsumers = await topConsumersOf(database.read, scoped, first * 60_000);
      const window = { from: new Date(first * 60_000).toISOString(), to: new Date(toMs).toISOString() };
      return { status: 200, body: { window, ...summary.toWire(), top_consumers: topConsumers } };
    },
  };
}

/** Consumers that a summary names, and records that are looked through for them. */
const topConsumersMax = 10;
const consumerRecordsMax = 50_000;

/** Who sent the most of the requests that are kept as records, of the newest `consumerRecordsMax` of them. */
async function topConsumersOf(
  executor: Executor,
  { tenantId, gatewayId }: CounterScope,
  fromMs: number,
): Promise<{ consumer_id: string | null; requests: number }[]> {
  let newest = executor
    .selectFrom('observation_records')
    .select('consumer_id')
    .where('tenant_id', '=', tenantId)
    .where('occurred_at', '>=', fromMs);
  if (gatewayId !== undefined) newest = newest.where('gateway_id', '=', gatewayId);
  const rows = await executor
    .selectFrom(newest.orderBy('occurred_at', 'desc').limit(consumerRecordsMax).as('newest'))
    .select(({ fn }) => ['consumer_id', fn.countAll<number>().as('requests')])
    .where('consumer_id', 'is not', null)
    .groupBy('consumer_id')
    .orderBy('requests', 'desc')
    .orderBy('consumer_id')
    .limit(topConsumersMax)
    .execute();
  return rows.map((row) => ({ consumer_id: row.consumer_id, requests: row.requests }));
}

/** Sums of a window. */
export const totalsSchema: v.GenericSchema = v.object({
  requests: v.number(),
  errors_4xx: v.number(),
  errors_5xx: v.number(),
  error_rate: v.number(),
  latency_ms: v.object({ p50: milliseconds, p95: milliseconds, p99: milliseconds, avg: milliseconds }),
  bytes_in: v.number(),
  bytes_out: v.number(),
});

const summarySchema = v.pipe(
  v.object({
    window: v.object({ from: v.string(), to: v.string() }),
    totals: totalsSchema,
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
