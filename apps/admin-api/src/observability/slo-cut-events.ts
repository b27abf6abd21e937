import type { CutEvents, WindowPlan } from '@portcullis/slo-engine';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Executor } from '../database/database.ts';
import type { SloScope } from './slo-counters.ts';

/** What counters say of the minute that a window cuts. */
export interface CutTotals {
  readonly total: number;
  /** `undefined` when counters bound it only. */
  readonly bad: number | undefined;
}

/**
 * What of a cut minute lies inside its window, from raw records.
 * @param thresholdUs `null` for objectives of availability
 * @returns `undefined` unless the raw records are as many as the counters say, good and bad: sampling and retention thin them
 */
export async function cutEvents(
  executor: Executor,
  { tenantId, gatewayId }: SloScope,
  { cut, fromMs }: WindowPlan,
  thresholdUs: number | null,
  counted: CutTotals,
): Promise<CutEvents | undefined> {
  const isBad: RawBuilder<SqlBool> =
    thresholdUs === null ? sql`status between 500 and 599` : sql`latency_us > ${thresholdUs}`;
  const isInside = sql`occurred_at > ${fromMs}`;
  const row = await executor
    .selectFrom('observation_records')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      countIf(isBad).as('bad'),
      countIf(isInside).as('inside'),
      countIf(sql`${isBad} and ${isInside}`).as('bad_inside'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('occurred_at', '>=', cut.first * 60_000)
    .where('occurred_at', '<', cut.end * 60_000)
    .$if(gatewayId !== '', (query) => query.where('gateway_id', '=', gatewayId))
    .executeTakeFirstOrThrow();
  const isWhole = row.total === counted.total && (counted.bad ?? row.bad) === row.bad;
  return isWhole ? { total: row.inside, bad: row.bad_inside } : undefined;
}

function countIf(condition: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`count(case when ${condition} then 1 end)`;
}
