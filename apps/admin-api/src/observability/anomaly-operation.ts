import * as v from 'valibot';
import type { Operation } from '../http/operation.ts';
import { questionPlaces } from '../http/question-places.ts';
import { integerParameter, tenantIdParameter, textParameter } from '../http/query-parameters.ts';
import { bucketMinutes } from './find-anomalies.ts';
import { givenText, observabilityTag, readTenant, type ObservabilityOperationParts } from './observability-parts.ts';
import { gatewaysMax, readAnomalies, routesMax, type ScopedAnomaly } from './read-anomalies.ts';

const windowMinutes = { minimum: bucketMinutes, maximum: 180, fallback: 60 } as const;
/** Anomalies of one answer; the newest. */
const anomaliesMax = 200;
/** Minutes that the last bucket has been over before it is judged: what gateways send needs a moment. */
const settledMinutes = 1;

/** `GET /observability/anomalies`: what was not as usual. Source: wire contract, Observability; ADR 0051. */
export function anomalyOperation({ database, scope, nowMs }: ObservabilityOperationParts): Operation {
  const places = questionPlaces();
  return {
    id: 'listAnomalies',
    method: 'GET',
    paths: ['/admin/observability/anomalies'],
    tag: observabilityTag,
    summary:
      `Times in which error rate, p95 latency or request rate of the ${gatewaysMax} busiest gateways, or of their ${routesMax} ` +
      `busiest routes, lay far from the median of the three hours before and of the same time on the seven days before`,
    access: 'read',
    query: [
      tenantIdParameter,
      textParameter('gateway_id', 'Only this gateway.', 128),
      integerParameter('window_minutes', 'How far to look back.', windowMinutes),
    ],
    responses: [{ status: 200, description: 'The anomalies, newest first', schema: listSchema }],
    async handler(input) {
      const tenantId = await readTenant(scope, input);
      const gatewayId = givenText(input, 'gateway_id');
      const end = Math.floor((nowMs() / 60_000 - settledMinutes) / bucketMinutes);
      const first = end - Math.ceil(Number(input.query['window_minutes']) / bucketMinutes);
      const find = () => readAnomalies(database.read, { tenantId, gatewayId }, { first, end });
      const found = await places.run(tenantId, find, input.request.signal);
      const items = found
        .toSorted((left, right) => right.first - left.first || right.score - left.score)
        .slice(0, anomaliesMax);
      const window = { from: timeOf(first), to: timeOf(end) };
      return { status: 200, body: { items: items.map(shown), total: found.length, window } };
    },
  };
}

function shown({ metric, scope, observed, expected, score, first, end }: ScopedAnomaly) {
  return {
    // Its first bucket was over then.
    detected_at: timeOf(first + 1),
    metric,
    scope: { gateway_id: scope.gatewayId, route_id: scope.routeId ?? null },
    observed: rounded(observed),
    expected: rounded(expected),
    score: rounded(score),
    window: { from: timeOf(first), to: timeOf(end) },
  };
}

function timeOf(bucket: number): string {
  return new Date(bucket * bucketMinutes * 60_000).toISOString();
}

/** Six digits after the point are more than a histogram knows. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

const windowSchema = v.object({ from: v.string(), to: v.string() });

const listSchema = v.pipe(
  v.object({
    items: v.array(
      v.object({
        detected_at: v.string(),
        metric: v.picklist(['error_rate', 'latency_p95_ms', 'request_rate']),
        scope: v.object({ gateway_id: v.string(), route_id: v.nullable(v.string()) }),
        observed: v.number(),
        expected: v.number(),
        score: v.number(),
        window: windowSchema,
      }),
    ),
    total: v.number(),
    window: windowSchema,
  }),
  v.title('AnomalyList'),
);
