import { sql, type RawBuilder } from 'kysely';
import type { Executor } from '../database/database.ts';
import type { ObservationCounterRow, ObservationGrain } from '../database/observation-tables.ts';
import { type CounterSegment, readRanges } from './slo-ranges.ts';

/** Whose counters are read: a gateway's, or all of the tenant's where the ID is empty. */
export interface SloScope {
  readonly tenantId: string;
  readonly gatewayId: string;
}

/** What a stored counter has of requests, as far as objectives go. */
export interface SloCounterRow {
  readonly gateway_id: string;
  readonly grain: ObservationGrain;
  readonly minute: number;
  readonly requests: number;
  readonly errors_5xx: number;
  /** Empty where nobody asked for it. */
  readonly over_thresholds: string;
}

/** Rows without histograms that are read at once. */
const rowsPerPage = 1000;
/** Ranges that one statement has: planning takes longer with each. */
const rangesPerStatement = 24;
/** Rows with histograms that are read at once; a full one has about 20 kB. */
const histogramsPerPage = 250;

/**
 * The counters of some segments, in pages. Rows come in any order, and some lie in no segment.
 * @param withThresholds whether thresholds are wanted. Without, the counters of a whole tenant come as sums of its gateways'
 */
export async function* counterPages(
  executor: Executor,
  scope: SloScope,
  segments: readonly CounterSegment[],
  withThresholds: boolean,
): AsyncGenerator<readonly SloCounterRow[], void> {
  const ranges = readRanges(segments, rowsPerPage);
  if (scope.gatewayId === '' && withThresholds) {
    for (const range of ranges) yield* tenantPages(executor, scope, range);
    return;
  }
  const rowsIn = (range: CounterSegment) =>
    scope.gatewayId === '' ? sumsIn(executor, scope, range) : gatewayRowsIn(executor, scope, range, withThresholds);
  for (const some of groupsOf(ranges)) {
    const [first, ...others] = some.map(rowsIn);
    if (!first) continue;
    const rows = await others.reduce((query, other) => query.unionAll(other), first).execute();
    yield rows.map((row) => ({ ...row, requests: whole(row.requests), errors_5xx: whole(row.errors_5xx) }));
  }
}

const countColumns = ['gateway_id', 'grain', 'minute', 'requests', 'errors_5xx', 'over_thresholds'] as const;
const grainColumn = sql<ObservationGrain>`grain`;

function gatewayRowsIn(executor: Executor, scope: SloScope, range: CounterSegment, withThresholds: boolean) {
  const rows = executor
    .selectFrom('observation_counters')
    .select([
      'gateway_id',
      grainColumn.as('grain'),
      'minute',
      'requests',
      'errors_5xx',
      (withThresholds ? sql<string>`over_thresholds` : sql<string>`''`).as('over_thresholds'),
    ])
    .where('tenant_id', '=', scope.tenantId)
    .where(isIn(scope.gatewayId, range))
    // In the order of the primary key, so that PostgreSQL takes it also where it has no statistics yet: the tenant's index
    // would read the rows of all other gateways too.
    .orderBy('minute')
    .orderBy('route_id')
    .orderBy('service_id');
  return executor.selectFrom(rows.as('in_order')).select(countColumns);
}

/** One row for each minute or hour, whatever the number of gateways. */
function sumsIn(executor: Executor, scope: SloScope, range: CounterSegment) {
  const sums = executor
    .selectFrom('observation_counters')
    .select(({ fn }) => [
      sql<string>`''`.as('gateway_id'),
      grainColumn.as('grain'),
      'minute',
      // As a sum of fractions, because SQLite refuses sums of integers beyond 2^63. It is exact as far as numbers are.
      fn.sum<number>(sql`requests * 1.0`).as('requests'),
      fn.sum<number>(sql`errors_5xx * 1.0`).as('errors_5xx'),
      sql<string>`''`.as('over_thresholds'),
    ])
    .where('tenant_id', '=', scope.tenantId)
    .where(isIn('', range))
    .groupBy(['grain', 'minute']);
  return executor.selectFrom(sums.as('in_order')).select(countColumns);
}

async function* tenantPages(
  executor: Executor,
  { tenantId }: SloScope,
  range: CounterSegment,
): AsyncGenerator<readonly SloCounterRow[], void> {
  let last: SloCounterRow | undefined;
  do {
    const page: readonly SloCounterRow[] = await executor
      .selectFrom('observation_counters')
      .select(countColumns)
      .where('tenant_id', '=', tenantId)
      .where(isIn('', { ...range, first: last?.minute ?? range.first }))
      .$if(last !== undefined, (query) =>
        query.where(sql<boolean>`(minute, gateway_id) > (${last?.minute}, ${last?.gateway_id})`),
      )
      .orderBy('minute')
      .orderBy('gateway_id')
      .limit(rowsPerPage)
      .execute();
    yield page;
    last = page.length === rowsPerPage ? page.at(-1) : undefined;
  } while (last !== undefined);
}

/** Which rows belong to a range. */
function isIn(
  gatewayId: string,
  { grain, first, end }: Pick<CounterSegment, 'grain' | 'first' | 'end'>,
): RawBuilder<boolean> {
  const inRange = sql<boolean>`grain = ${grain} and minute >= ${first} and minute < ${end}`;
  return gatewayId === '' ? inRange : sql`gateway_id = ${gatewayId} and ${inRange}`;
}

/** Ranges that are read by one statement. */
function groupsOf(ranges: readonly CounterSegment[]): CounterSegment[][] {
  const groups: CounterSegment[][] = [];
  let left = 0;
  for (const range of ranges) {
    const rows = (range.end - range.first) / range.grainMinutes;
    const last = groups.at(-1);
    if (last && rows <= left && last.length < rangesPerStatement) last.push(range);
    else {
      groups.push([range]);
      left = rowsPerPage;
    }
    left -= rows;
  }
  return groups;
}

/** The histograms of some rows, a page at a time. */
export async function* histogramPages(
  executor: Executor,
  tenantId: string,
  rows: readonly SloCounterRow[],
): AsyncGenerator<readonly (readonly [row: SloCounterRow, histogram: string])[], void> {
  for (let start = 0; start < rows.length; start += histogramsPerPage) {
    const page = new Map(rows.slice(start, start + histogramsPerPage).map((row) => [keyOf(row), row]));
    const groups = Map.groupBy(page.values(), (row) => `${row.grain} ${row.gateway_id}`);
    const [first, ...others] = [...groups.values()].map((group) => histogramsOf(executor, tenantId, group));
    if (!first) return;
    const found = await others.reduce((query, other) => query.unionAll(other), first).execute();
    yield found.flatMap((each) => {
      const row = page.get(keyOf(each));
      return row ? [[row, each.histogram] as const] : [];
    });
  }
}

/** Of one gateway and one length. Where most rows of the time are wanted, all of them are read. */
function histogramsOf(executor: Executor, tenantId: string, rows: readonly SloCounterRow[]) {
  const [some] = rows;
  const { gateway_id: gatewayId = '', grain = 'gateway_hour' } = some ?? {};
  const minutes = rows.map(({ minute }) => minute);
  const range = { grain, first: Math.min(...minutes), end: Math.max(...minutes) + 1 };
  const isDense = rows.length * (grain === 'gateway_hour' ? 60 : 1) * 2 > range.end - range.first;
  const found = executor
    .selectFrom('observation_counters')
    .select(['gateway_id', grainColumn.as('grain'), 'minute', 'histogram'])
    .where('tenant_id', '=', tenantId)
    .where(isIn(gatewayId, range))
    .$if(!isDense, (query) => query.where('minute', 'in', minutes))
    .orderBy('minute')
    .orderBy('route_id')
    .orderBy('service_id');
  return executor.selectFrom(found.as('in_order')).select(['gateway_id', 'grain', 'minute', 'histogram']);
}

function keyOf(row: Pick<ObservationCounterRow, 'gateway_id' | 'grain' | 'minute'>): string {
  return `${row.grain} ${row.minute} ${row.gateway_id}`;
}

/** Sums come as fractions; beyond 2^53 − 1 they end there. */
function whole(sum: number): number {
  return Math.min(Math.round(sum), Number.MAX_SAFE_INTEGER);
}
