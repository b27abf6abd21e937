import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { CounterOwner } from './counter-sums.ts';
import { saturatedSum } from './counter-pairs.ts';
import type { DroppedObservations } from './timely-observations.ts';

type Count = 'dropped_late' | 'dropped_future' | 'dropped_records';

/** Keeps count of what was left out of a gateway's observations, under the hour in which it came in. */
export async function addDrops(
  transaction: Transaction<Tables>,
  owner: CounterOwner,
  dropped: DroppedObservations,
  receivedAtMs: number,
): Promise<void> {
  const { late, future, records } = dropped;
  if (late + future + records === 0) return;
  const minute = Math.floor(receivedAtMs / 3_600_000) * 60;
  const counts = { dropped_late: late, dropped_future: future, dropped_records: records };
  await transaction
    .insertInto('observation_drops')
    .values({ tenant_id: owner.tenantId, gateway_id: owner.gatewayId, minute, ...counts })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'gateway_id', 'minute']).doUpdateSet({
        dropped_late: added('dropped_late', late),
        dropped_future: added('dropped_future', future),
        dropped_records: added('dropped_records', records),
      }),
    )
    .execute();
}

/** Adds up what was left out of several parts. */
export function sumOfDrops(left: DroppedObservations, right: DroppedObservations): DroppedObservations {
  return {
    late: saturatedSum(left.late, right.late),
    future: saturatedSum(left.future, right.future),
    records: saturatedSum(left.records, right.records),
  };
}

/** A sum that ends at the largest integer that both databases give back. */
function added(column: Count, count: number): RawBuilder<number> {
  const stored = sql.ref(`observation_drops.${column}`);
  const most = Number.MAX_SAFE_INTEGER;
  return sql<number>`case when ${stored} > ${most - count} then ${most} else ${stored} + ${count} end`;
}
