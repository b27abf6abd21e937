import type { Executor } from '../database/database.ts';
import type { ObservationRecordRow } from '../database/observation-tables.ts';
import { filterRequests } from './request-query.ts';

/** Records of one page, and arrivals that are looked through for it. */
const pageMax = 100;
const lookedThroughMax = 2_000;

/** Who is further behind is set back to here: nobody reads what takes longer to read than it takes to come in. */
export const lagMax = 50_000;

/** What arrived after a point. */
export interface Arrivals {
  readonly rows: readonly ObservationRecordRow[];
  /** Up to here nothing is missing. */
  readonly through: number;
  /** Arrivals that were passed over because there were more than `lagMax`. */
  readonly skipped: number;
  /** Whether there is more already. */
  readonly hasMore: boolean;
}

/** The number of a tenant's last record; 0 before the first. Everything up to it can be read. */
export async function lastArrival(executor: Executor, tenantId: string): Promise<number> {
  const row = await executor
    .selectFrom('observation_arrivals')
    .select('arrival')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row?.arrival ?? 0;
}

/**
 * A page of what arrived after a point, in the order of arrival. Numbers become visible in their order, so nothing can arrive later
 * before `through`.
 * @param after a number of beyond the last one, as of another database, counts as the last one
 * @param filter query parameters of `requestFilterParameters`
 */
export async function readArrivals(
  executor: Executor,
  tenantId: string,
  after: number,
  filter: Readonly<Record<string, unknown>>,
): Promise<Arrivals> {
  const last = await lastArrival(executor, tenantId);
  const skipped = Math.max(0, last - after - lagMax);
  const from = Math.min(after + skipped, last);
  const end = Math.min(last, from + lookedThroughMax);
  if (end === from) return { rows: [], through: from, skipped, hasMore: false };
  const all = executor
    .selectFrom('observation_records')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('arrival', '>', from)
    .where('arrival', '<=', end);
  const rows = await filterRequests(all, filter).orderBy('arrival').limit(pageMax).execute();
  const through = rows.length === pageMax ? (rows.at(-1)?.arrival ?? end) : end;
  return { rows, through, skipped, hasMore: through < last };
}
