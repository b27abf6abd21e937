import { sql } from 'kysely';
import type { Executor } from '../database/database.ts';
import { busiestRoutes, gatewayPages, routePages, type CounterPages } from './counter-queries.ts';
import {
  bucketMinutes,
  findAnomalies,
  leastShareOf,
  recentBuckets,
  referenceDays,
  type Anomaly,
  type TrafficBucket,
  type TrafficSeries,
} from './find-anomalies.ts';
import { LatencySum } from './latency-sum.ts';
import type { CounterRange } from './summary-window.ts';

/** Gateways, and routes of them all, that are looked at: the busiest of the window. */
export const gatewaysMax = 10;
export const routesMax = 20;

/** Whose traffic an anomaly is in. */
export interface AnomalyScope {
  readonly gatewayId: string;
  /** Nothing for all of the gateway's. */
  readonly routeId: string | undefined;
}

/** An anomaly and where it was. */
export interface ScopedAnomaly extends Anomaly {
  readonly scope: AnomalyScope;
}

/** Buckets that are judged. */
export interface AnomalyWindow {
  readonly first: number;
  readonly end: number;
}

/**
 * Looks for anomalies in the busiest gateways and routes, one series after the other. A series of a window of three hours has at most
 * 1,700 rows of minutes.
 */
export async function readAnomalies(
  executor: Executor,
  place: { readonly tenantId: string; readonly gatewayId: string | undefined },
  window: AnomalyWindow,
): Promise<ScopedAnomaly[]> {
  const { tenantId } = place;
  const found: ScopedAnomaly[] = [];
  const gateways = await busiestGateways(executor, place, window);
  let routesLeft = routesMax;
  for (const gatewayId of gateways) {
    const scope = { tenantId, gatewayId };
    const add = (routeId: string | undefined, series: TrafficSeries): void => {
      const anomalies = findAnomalies(series, window.first, window.end);
      found.push(...anomalies.map((anomaly) => ({ ...anomaly, scope: { gatewayId, routeId } })));
    };
    add(undefined, await seriesOf((range) => gatewayPages(executor, scope, range), window));
    const share = Math.ceil(routesLeft / Math.max(1, gateways.length));
    const routes = await busiestRoutes(executor, scope, rangesOf(window), Math.min(share, routesLeft));
    routesLeft -= routes.length;
    for (const { route_id: routeId } of routes) {
      add(routeId, await seriesOf((range) => routePages(executor, scope, range, [routeId]), window));
    }
  }
  return found;
}

/** Of the window and the day before it: one that has fallen silent was busy then. */
async function busiestGateways(
  executor: Executor,
  { tenantId, gatewayId }: { readonly tenantId: string; readonly gatewayId: string | undefined },
  window: AnomalyWindow,
): Promise<string[]> {
  if (gatewayId !== undefined) return [gatewayId];
  const rows = await executor
    .selectFrom('observation_counters')
    .select('gateway_id')
    .where('tenant_id', '=', tenantId)
    .where('grain', '=', 'gateway_hour')
    .where('minute', '>=', window.first * bucketMinutes - 1440)
    .where('minute', '<', window.end * bucketMinutes)
    .groupBy('gateway_id')
    .orderBy(sql`sum(requests * 1.0)`, 'desc')
    .orderBy('gateway_id')
    .limit(gatewaysMax)
    .execute();
  return rows.map((row) => row.gateway_id);
}

/** The minutes that a window is judged by: itself with the hours before it, and the same time of the days before. */
function rangesOf({ first, end }: AnomalyWindow): CounterRange[] {
  const range = (from: number, to: number): CounterRange => ({
    rows: 'minute',
    first: from * bucketMinutes,
    end: to * bucketMinutes,
  });
  const bucketsPerDay = 1440 / bucketMinutes;
  const days = Array.from({ length: referenceDays }, (_, day) => (day + 1) * bucketsPerDay);
  return [range(first - recentBuckets, end), ...days.map((back) => range(first - back - 1, end - back + 1))];
}

/** Adds minutes up to buckets. Rows come in the order of time, so that one histogram is enough. */
async function seriesOf(pagesOf: (range: CounterRange) => CounterPages, window: AnomalyWindow): Promise<TrafficSeries> {
  const series = new Map<number, TrafficBucket>();
  const latencies = new LatencySum();
  for (const range of rangesOf(window)) {
    let open: { number: number; requests: number; errors5xx: number } | undefined;
    const close = (): void => {
      if (open) {
        const p95LeastUs = latencies.quantileUs(leastShareOf(open.requests));
        series.set(open.number, { ...open, p95Us: latencies.quantileUs(0.95), p95LeastUs });
      }
      latencies.clear();
      open = undefined;
    };
    for await (const page of pagesOf(range)) {
      for (const row of page) {
        const number = Math.floor(row.minute / bucketMinutes);
        if (open?.number !== number) close();
        open ??= { number, requests: 0, errors5xx: 0 };
        open.requests += row.requests;
        open.errors5xx += row.errors_5xx;
        latencies.addText(row.histogram);
      }
    }
    close();
  }
  return series;
}
