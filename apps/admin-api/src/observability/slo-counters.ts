import { latencyBinMax, latencyBinStart } from '@portcullis/resources';
import { type BadBounds, type BinRange, type JudgedCounter, slowRequests } from '@portcullis/slo-engine';
import { sql, type RawBuilder } from 'kysely';
import type { Executor } from '../database/database.ts';
import type { ObservationCounterRow } from '../database/observation-tables.ts';
import { comparedWith } from './compared-thresholds.ts';
import { readHistogram } from './histogram-text.ts';
import { type CounterSegment, joined } from './slo-ranges.ts';

/** Whose counters are read: a gateway's, or all of the tenant's where the ID is empty. */
export interface SloScope {
  readonly tenantId: string;
  readonly gatewayId: string;
}

/** A counter, or the sum of several of one segment, in which `first` is the segment's. */
export interface SloCounter extends JudgedCounter {
  /** From the first minute that has requests to before `end`, the minute after the last; to the length of the counters. */
  readonly observed: { readonly first: number; readonly end: number };
}

/** Sums of requests and of those with a status of 500 to 599, in one statement whatever the number of rows. */
export async function failedRequests(
  executor: Executor,
  scope: SloScope,
  segments: readonly CounterSegment[],
): Promise<SloCounter[]> {
  const [first, ...others] = segments.map((segment) => sumOf(executor, scope, segment));
  if (!first) return [];
  const rows = await others.reduce((query, other) => query.unionAll(other), first).execute();
  return rows.flatMap(({ segment_first: first, grain_minutes: grainMinutes, earliest, latest, total, failed }) => {
    if (earliest === null || latest === null) return [];
    const observed = { first: earliest, end: latest + grainMinutes };
    return [{ grainMinutes, first, observed, total: whole(total), bad: whole(failed) }];
  });
}

function sumOf(executor: Executor, { tenantId, gatewayId }: SloScope, segment: CounterSegment) {
  return executor
    .selectFrom('observation_counters')
    .select(({ fn, val }) => [
      sql<number>`cast(${val(segment.first)} as bigint)`.as('segment_first'),
      sql<number>`cast(${val(segment.grainMinutes)} as bigint)`.as('grain_minutes'),
      fn.min<number | null>('minute').as('earliest'),
      fn.max<number | null>('minute').as('latest'),
      // As a sum of fractions, because SQLite refuses sums of integers beyond 2^63. It is exact as far as numbers are.
      fn.sum<number | null>(sql`requests * 1.0`).as('total'),
      fn.sum<number | null>(sql`errors_5xx * 1.0`).as('failed'),
    ])
    .where('tenant_id', '=', tenantId)
    .where(isIn(gatewayId, segment))
    .where('requests', '>', 0);
}

/** Which rows belong to a segment. Rows of gateways have no route: said here, it makes all of the primary key's columns known. */
function isIn(gatewayId: string, { grain, first, end }: CounterSegment): RawBuilder<boolean> {
  const inRange = sql<boolean>`grain = ${grain} and minute >= ${first} and minute < ${end}`;
  return gatewayId === ''
    ? inRange
    : sql`gateway_id = ${gatewayId} and ${inRange} and route_id = '' and service_id = ''`;
}

/** Rows without histograms that are read at once. */
const rowsPerPage = 1000;
/** Rows with histograms that are read at once; a full one has about 20 kB. */
const histogramsPerPage = 250;

/** Requests that took longer than a threshold, row by row, in pages. */
export async function* slowCounters(
  executor: Executor,
  scope: SloScope,
  segments: readonly CounterSegment[],
  thresholdUs: number,
): AsyncGenerator<SloCounter, void> {
  for await (const page of pagesOf(executor, scope, joined(segments))) {
    const unknown = page.filter((row) => comparedOf(row, thresholdUs).compared < row.requests);
    const histograms = await histogramsOf(executor, scope.tenantId, unknown);
    for (const row of page) {
      const grainMinutes = row.grain === 'gateway_hour' ? 60 : 1;
      const { minute: first, requests: total } = row;
      const bad = slowOf(row, thresholdUs, histograms.get(keyOf(row)));
      yield { grainMinutes, first, observed: { first, end: first + grainMinutes }, total, bad };
    }
  }
}

const comparedColumns = ['gateway_id', 'grain', 'minute', 'requests', 'over_thresholds'] as const;
type ComparedRow = Pick<ObservationCounterRow, (typeof comparedColumns)[number]>;

/** Of one gateway a row for each minute or hour, so several segments go into a page; of a tenant one segment in several pages. */
async function* pagesOf(
  executor: Executor,
  { tenantId, gatewayId }: SloScope,
  segments: readonly CounterSegment[],
): AsyncGenerator<readonly ComparedRow[], void> {
  const rowsIn = (segment: CounterSegment) =>
    executor
      .selectFrom('observation_counters')
      .select(comparedColumns)
      .where('tenant_id', '=', tenantId)
      .where(isIn(gatewayId, segment))
      .where('requests', '>', 0);
  if (gatewayId !== '') {
    for (const some of groupsOf(segments, rowsPerPage)) {
      const [first, ...others] = some.map(rowsIn);
      if (first) yield await others.reduce((query, other) => query.unionAll(other), first).execute();
    }
    return;
  }
  for (const segment of segments) {
    let last: ComparedRow | undefined;
    do {
      const page: readonly ComparedRow[] = await rowsIn({ ...segment, first: last?.minute ?? segment.first })
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
}

/** Segments in groups that have together at most so many rows, if one alone does not have more. */
function groupsOf(segments: readonly CounterSegment[], rowsMax: number): CounterSegment[][] {
  const groups: CounterSegment[][] = [];
  let left = 0;
  for (const segment of segments) {
    const rows = (segment.end - segment.first) / segment.grainMinutes;
    if (groups.length === 0 || rows > left) {
      groups.push([]);
      left = rowsMax;
    }
    groups.at(-1)?.push(segment);
    left -= rows;
  }
  return groups;
}

/** Histograms of rows that were not compared with the threshold, or not all of them, by key. */
async function histogramsOf(
  executor: Executor,
  tenantId: string,
  rows: readonly ComparedRow[],
): Promise<ReadonlyMap<string, string>> {
  const histograms = new Map<string, string>();
  for (let start = 0; start < rows.length; start += histogramsPerPage) {
    const page = rows.slice(start, start + histogramsPerPage);
    const wanted = new Set(page.map(keyOf));
    const [first, ...others] = [...Map.groupBy(page, (row) => `${row.grain} ${row.gateway_id}`).values()].flatMap(
      (group) => {
        const [some] = group;
        if (!some) return [];
        const minutes = group.map(({ minute }) => minute);
        const range = {
          first: Math.min(...minutes),
          end: Math.max(...minutes) + 1,
          grain: some.grain,
          grainMinutes: 1,
        };
        return executor
          .selectFrom('observation_counters')
          .select(['gateway_id', 'grain', 'minute', 'histogram'])
          .where('tenant_id', '=', tenantId)
          .where(isIn(some.gateway_id, range));
      },
    );
    if (!first) break;
    const found = await others.reduce((query, other) => query.unionAll(other), first).execute();
    for (const row of found) if (wanted.has(keyOf(row))) histograms.set(keyOf(row), row.histogram);
  }
  return histograms;
}

function keyOf({ gateway_id: gatewayId, grain, minute }: Pick<ComparedRow, 'gateway_id' | 'grain' | 'minute'>): string {
  return `${grain} ${minute} ${gatewayId}`;
}

function comparedOf(row: ComparedRow, thresholdUs: number) {
  return comparedWith(row.over_thresholds, thresholdUs);
}

/**
 * What is known of a row: exact when all of its requests were compared with the threshold. Otherwise both what was compared and the
 * histogram bound it, and the truth is inside of both bounds.
 */
function slowOf(row: ComparedRow, thresholdUs: number, histogram: string | undefined): number | BadBounds {
  const { requests } = row;
  const { compared, over } = comparedOf(row, thresholdUs);
  if (compared >= requests) return Math.min(over, requests);
  const bins: (readonly [number, number])[] = [];
  if (histogram !== undefined) readHistogram(histogram, (bin, count) => bins.push([bin, count]));
  const { least, most } = slowRequests({ requests, histogram: bins }, thresholdUs, rangeOfBin);
  const lower = Math.max(least, Math.min(over, requests));
  return { least: lower, most: Math.max(lower, Math.min(most, over + requests - compared)) };
}

const rangeOfBin: BinRange = (bin) => ({
  leastUs: latencyBinStart(bin),
  mostUs: bin >= latencyBinMax ? Number.POSITIVE_INFINITY : latencyBinStart(bin + 1) - 1,
});

/** Sums come as fractions; beyond 2^53 − 1 they end there. */
function whole(sum: number | null): number {
  return Math.min(Math.round(sum ?? 0), Number.MAX_SAFE_INTEGER);
}
