import { familyNamed } from '@portcullis/resources';
import * as v from 'valibot';
import type { Operation, OperationInput } from '../http/operation.ts';
import { integerParameter, tenantIdParameter } from '../http/query-parameters.ts';
import { findRequests } from '../observability/find-requests.ts';
import { milliseconds, observedRequestSchema } from '../observability/observed-request-schema.ts';
import { readSeries, readTotals } from '../observability/read-summary.ts';
import { requestView } from '../observability/request-records.ts';
import { totalsSchema } from '../observability/summary-operation.ts';
import { seriesPointsMax } from '../observability/summary-window.ts';
import type { FamilyHandlerParts } from '../resources/family-handlers.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import { certificateHealth } from './expiring-certificates.ts';
import { countedFamilies, countRecords, type GatewayPlace } from './gateway-counts.ts';
import { countNodes, countTargets } from './gateway-health.ts';

const gateways = familyNamed('gateways');

/** What the overviews work with. */
export interface GatewayOperationParts extends FamilyHandlerParts {
  readonly store: ResourceStore;
  readonly nowMs: () => number;
}

/** What a gateway is and does at a glance. Source: spec, Administration endpoint families; wire contract, Observability. */
export function gatewayOperations(parts: GatewayOperationParts): Operation[] {
  return [overviewOperation(parts), recentTrafficOperation(parts)];
}

/** Minutes of traffic in an overview. */
const overviewMinutes = 60;

function overviewOperation(parts: GatewayOperationParts): Operation {
  return {
    id: 'getGatewayOverview',
    method: 'GET',
    paths: ['/admin/gateways/{gateway_id}/overview'],
    tag: gateways.name,
    summary:
      'Records of each family, traffic of the last hour, data planes, health of targets, and certificates that expire',
    access: gateways.access.read,
    query: [tenantIdParameter],
    responses: [{ status: 200, description: 'The overview', schema: overviewSchema }],
    async handler(input) {
      const place = await placeOf(parts, input);
      const { read } = parts.database;
      const nowMs = parts.nowMs();
      const { first, end, window } = windowOf(nowMs, overviewMinutes);
      const [counts, nodes, certificates, totals] = await Promise.all([
        countRecords(read, place),
        countNodes(read, place, nowMs),
        certificateHealth(parts.store, read, place, nowMs),
        readTotals(read, place, { first, end }),
      ]);
      const targets = await countTargets(read, place, counts['targets'] ?? 0, nowMs);
      return {
        status: 200,
        body: {
          gateway_id: place.gatewayId,
          counts,
          traffic: { window, totals },
          data_planes: nodes,
          targets,
          certificates,
        },
      };
    },
  };
}

function recentTrafficOperation(parts: GatewayOperationParts): Operation {
  return {
    id: 'getRecentTraffic',
    method: 'GET',
    paths: ['/admin/gateways/{gateway_id}/traffic/recent'],
    tag: gateways.name,
    summary: 'The latest requests through a gateway, and its traffic minute by minute',
    access: gateways.access.read,
    query: [
      tenantIdParameter,
      integerParameter('minutes', 'How many minutes the series has.', {
        minimum: 1,
        maximum: seriesPointsMax,
        fallback: 30,
      }),
      integerParameter('limit', 'How many requests to give at most.', { minimum: 1, maximum: 200, fallback: 50 }),
    ],
    responses: [{ status: 200, description: 'Requests, newest first, and the series', schema: recentSchema }],
    async handler(input) {
      const place = await placeOf(parts, input);
      const { read } = parts.database;
      const { first, end, window } = windowOf(parts.nowMs(), Number(input.query['minutes']));
      const limit = Number(input.query['limit']);
      const given = { gateway_id: place.gatewayId, from: window.from };
      const [series, { rows }] = await Promise.all([
        readSeries(read, place, { first, end }),
        findRequests(read, place.tenantId, given, { skip: 0, limit }),
      ]);
      return { status: 200, body: { gateway_id: place.gatewayId, window, series, items: rows.map(requestView) } };
    },
  };
}

async function placeOf(parts: GatewayOperationParts, input: OperationInput): Promise<GatewayPlace> {
  const tenantId = await parts.tenantOf(gateways, input);
  const gatewayId = await parts.reader.gatewayId(parts.database.read, tenantId, input.path['gateway_id'] ?? '');
  return { tenantId, gatewayId };
}

/** The minutes that end with the present one. */
function windowOf(nowMs: number, minutes: number) {
  const end = Math.floor(nowMs / 60_000) + 1;
  const first = end - minutes;
  return { first, end, window: { from: new Date(first * 60_000).toISOString(), to: new Date(nowMs).toISOString() } };
}

const windowSchema = v.object({ from: v.string(), to: v.string() });

const overviewSchema = v.pipe(
  v.object({
    gateway_id: v.string(),
    counts: v.object(Object.fromEntries(countedFamilies.map((family) => [family, v.number()]))),
    traffic: v.object({ window: windowSchema, totals: totalsSchema }),
    data_planes: v.object({ online: v.number(), stale: v.number(), offline: v.number() }),
    targets: v.object({
      healthy: v.number(),
      unhealthy: v.number(),
      dns_error: v.number(),
      healthchecks_off: v.number(),
      unknown: v.number(),
    }),
    certificates: v.object({
      expired: v.number(),
      expiring: v.number(),
      cut: v.boolean(),
      items: v.array(
        v.object({
          id: v.string(),
          name: v.nullable(v.string()),
          not_after: v.string(),
          expires_in_days: v.number(),
        }),
      ),
    }),
  }),
  v.title('GatewayOverview'),
);

const recentSchema = v.pipe(
  v.object({
    gateway_id: v.string(),
    window: windowSchema,
    series: v.array(v.object({ at: v.string(), requests: v.number(), errors_5xx: v.number(), p95_ms: milliseconds })),
    items: v.array(observedRequestSchema),
  }),
  v.title('RecentTraffic'),
);
