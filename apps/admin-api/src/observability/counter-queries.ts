import { sql } from 'kysely';
import type { Executor } from '../database/database.ts';
import type { ObservationCounterRow } from '../database/observation-tables.ts';
import type { CounterRange } from './summary-window.ts';

/** Which counters are read. */
export interface CounterScope {
  readonly tenantId: string;
  /** Only this gateway's. */
  readonly gatewayId: string | undefined;
}

/** Requests of a route. */
export interface RouteCounts {
  readonly route_id: string;
  readonly requests: number;
  readonly errors_5xx: number;
}

/** What sums of traffic are made of, and the key; thresholds are of no use to them. */
const columns = [
  'minute',
  'gateway_id',
  'route_id',
  'service_id',
  'requests',
  'errors_4xx',
  'errors_5xx',
  'latency_sum_us',
  'request_bytes',
  'response_bytes',
  'statuses',
  'histogram',
] as const;

/** A counter as sums of traffic need it. */
export type TrafficRow = Pick<ObservationCounterRow, (typeof columns)[number]>;

/**
 * Rows of one page: with full histograms, of about 94 kB, a page has 24 million characters, which is well inside what one
 * answer of the database may have.
 */
const rowsPerPage = 250;

/** Rows of whole gateways in a range, in pages. */
export function gatewayPages(executor: Executor, scope: CounterScope, range: CounterRange): CounterPages {
  return pagesOf(executor, scope, range, undefined);
}

/** Rows of some routes in a range, in pages. */
export function routePages(
  executor: Executor,
  scope: CounterScope,
  range: CounterRange,
  routeIds: readonly string[],
): CounterPages {
  return pagesOf(executor, scope, range, routeIds);
}

/** Pages of rows, ordered by time. Only one is in memory at a time. */
export type CounterPages = AsyncGenerator<readonly TrafficRow[], void>;

async function* pagesOf(
  executor: Executor,
  scope: CounterScope,
  range: CounterRange,
  routeIds: readonly string[] | undefined,
): CounterPages {
  let last: TrafficRow | undefined;
  do {
    let query = executor
      .selectFrom('observation_counters')
      .select(columns)
      .where('tenant_id', '=', scope.tenantId)
      .where('grain', '=', routeIds === undefined ? `gateway_${range.rows}` : `route_${range.rows}`)
      .where('minute', '>=', last?.minute ?? range.first)
      .where('minute', '<', range.end);
    if (scope.gatewayId !== undefined) query = query.where('gateway_id', '=', scope.gatewayId);
    if (routeIds !== undefined) query = query.where('route_id', 'in', routeIds);
    if (last !== undefined) {
      const { minute, gateway_id: gateway, route_id: route, service_id: service } = last;
      query = query.where(
        sql<boolean>`(minute, gateway_id, route_id, service_id) > (${minute}, ${gateway}, ${route}, ${service})`,
      );
    }
    const page: readonly TrafficRow[] = await query
      .orderBy('minute')
      .orderBy('gateway_id')
      .orderBy('route_id')
      .orderBy('service_id')
      .limit(rowsPerPage)
      .execute();
    yield page;
    last = page.length === rowsPerPage ? page.at(-1) : undefined;
  } while (last !== undefined);
}

/** The routes with the most requests, most first. Requests without a route belong to none. */
export function busiestRoutes(
  executor: Executor,
  scope: CounterScope,
  ranges: readonly CounterRange[],
  routesMax: number,
): Promise<RouteCounts[]> {
  let query = executor
    .selectFrom('observation_counters')
    // As a sum of fractions, because SQLite refuses sums of integers beyond 2^63.
    .select(({ fn }) => [
      'route_id',
      fn.sum<number>(sql`requests * 1.0`).as('requests'),
      fn.sum<number>(sql`errors_5xx * 1.0`).as('errors_5xx'),
    ])
    .where('tenant_id', '=', scope.tenantId)
    .where('route_id', '!=', '')
    .where(({ eb, or, and }) =>
      or(
        ranges.map(({ rows, first, end }) =>
          and([eb('grain', '=', `route_${rows}`), eb('minute', '>=', first), eb('minute', '<', end)]),
        ),
      ),
    );
  if (scope.gatewayId !== undefined) query = query.where('gateway_id', '=', scope.gatewayId);
  return query
    .groupBy('route_id')
    .orderBy(sql`sum(requests * 1.0)`, 'desc')
    .orderBy('route_id')
    .limit(routesMax)
    .execute();
}
