import type { Executor } from '../database/database.ts';
import type { ObservationRecordRow } from '../database/observation-tables.ts';
import { filterRequests, isSearched } from './request-query.ts';

/** How far lists go: more matches are not counted, and no page lies beyond. */
export const listedMax = 10_000;

/** Of the newest records of a tenant or gateway those that are looked through for what no index finds. */
export const searchedMax = 200_000;

/** Others of one request ID that are counted. */
export const othersMax = 1_000;

/** A page of requests, newest first. */
export interface RequestPage {
  readonly rows: readonly ObservationRecordRow[];
  /** How many match, up to `listedMax`. */
  readonly total: number;
  /** Whether that is all. */
  readonly isExact: boolean;
  /** Older ones were not looked through; nothing where all were. */
  readonly searchedFromMs: number | undefined;
}

/**
 * Finds requests. The work is bounded however many records there are: matches are counted up to `listedMax`, and filters that no
 * index serves are asked of the newest `searchedMax` records of the tenant, gateway and time.
 * @param given query parameters of `requestFilterParameters`
 */
export async function findRequests(
  executor: Executor,
  tenantId: string,
  given: Readonly<Record<string, unknown>>,
  page: { readonly skip: number; readonly limit: number },
): Promise<RequestPage> {
  const all = executor.selectFrom('observation_records').where('tenant_id', '=', tenantId);
  const searchedFromMs = isSearched(given) ? await searchStart(executor, tenantId, given) : undefined;
  const searched = searchedFromMs === undefined ? all : all.where('occurred_at', '>=', searchedFromMs);
  const rows = await filterRequests(searched.selectAll(), given)
    .orderBy('occurred_at', 'desc')
    .orderBy('arrival', 'desc')
    .offset(page.skip)
    .limit(page.limit)
    .execute();
  const matches = filterRequests(searched.select('arrival'), given).limit(listedMax + 1);
  const { counted } = await executor
    .selectFrom(matches.as('matches'))
    .select(({ fn }) => fn.countAll<number>().as('counted'))
    .executeTakeFirstOrThrow();
  const total = Math.min(counted, listedMax);
  return { rows, total, isExact: counted === total && searchedFromMs === undefined, searchedFromMs };
}

/** The time of the last record that is looked through, found in an index alone; nothing when there are fewer. */
async function searchStart(
  executor: Executor,
  tenantId: string,
  given: Readonly<Record<string, unknown>>,
): Promise<number | undefined> {
  const { gateway_id, from, to } = given;
  const all = executor.selectFrom('observation_records').select('occurred_at').where('tenant_id', '=', tenantId);
  const last = await filterRequests(all, { gateway_id, from, to })
    .orderBy('occurred_at', 'desc')
    .offset(searchedMax)
    .limit(1)
    .executeTakeFirst();
  return last?.occurred_at;
}

/**
 * The newest request of a request ID, which clients choose, and how many others have it, up to `othersMax`.
 * @returns nothing when the tenant has none
 */
export async function findRequest(
  executor: Executor,
  tenantId: string,
  requestId: string,
): Promise<{ readonly row: ObservationRecordRow; readonly others: number } | undefined> {
  const all = executor
    .selectFrom('observation_records')
    .where('tenant_id', '=', tenantId)
    .where('request_id', '=', requestId);
  const newest = all.selectAll().orderBy('occurred_at', 'desc').orderBy('arrival', 'desc').limit(1);
  const { counted } = await executor
    .selectFrom(
      all
        .select('arrival')
        .limit(othersMax + 1)
        .as('same'),
    )
    .select(({ fn }) => fn.countAll<number>().as('counted'))
    .executeTakeFirstOrThrow();
  const row = await newest.executeTakeFirst();
  return row && { row, others: Math.max(0, counted - 1) };
}
