import { sql, type Transaction } from 'kysely';
import { chunksOf } from '../database/chunks.ts';
import type { Executor } from '../database/database.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import type { ObservationCounterRow } from '../database/observation-tables.ts';
import type { Tables } from '../database/tables.ts';
import { keyText, type CounterKey, type CounterOwner, type CounterSum } from './counter-sums.ts';

const keyColumns = ['tenant_id', 'gateway_id', 'grain', 'minute', 'route_id', 'service_id'] as const;

/**
 * Which rows are there already. Asked before the transaction and away from the writer, it spares attempts to insert them.
 * @returns texts of keys, as `keyText` gives them
 */
export async function storedKeys(
  executor: Executor,
  owner: CounterOwner,
  sums: readonly CounterSum[],
): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  for (const chunk of chunksOf(sums)) {
    const rows = await rowsOf(executor, owner, chunk).select(['grain', 'minute', 'route_id', 'service_id']).execute();
    for (const row of rows) stored.add(keyText(row));
  }
  return stored;
}

/**
 * Adds sums to the stored rows: first all new rows are inserted, then those that were there are locked, read and replaced.
 * Rows that are there are locked only after the last insert and both in the order of keys; so no two batches deadlock,
 * and none reads a row that another is about to change.
 * @param sums of different keys, in their order, as `sumsOfBatch` gives them
 * @param known keys that are stored, as far as that is known; it may be out of date either way
 */
export async function addCounters(
  transaction: Transaction<Tables>,
  owner: CounterOwner,
  sums: readonly CounterSum[],
  known: ReadonlySet<string>,
): Promise<void> {
  const inserted = new Set<string>();
  for (const chunk of chunksOf(sums.filter((sum) => !known.has(keyText(sum.key))))) {
    for (const row of await insertNew(transaction, owner, chunk)) inserted.add(keyText(row));
  }
  for (const chunk of chunksOf(sums.filter((sum) => !inserted.has(keyText(sum.key))))) {
    const before = await lockStored(transaction, owner, chunk);
    await replace(
      transaction,
      chunk.map((sum) => sum.row(owner, before.get(keyText(sum.key)))),
    );
  }
}

function insertNew(
  transaction: Transaction<Tables>,
  owner: CounterOwner,
  sums: readonly CounterSum[],
): Promise<CounterKey[]> {
  return transaction
    .insertInto('observation_counters')
    .values(sums.map((sum) => sum.row(owner)))
    .onConflict((conflict) => conflict.columns(keyColumns).doNothing())
    .returning(['grain', 'minute', 'route_id', 'service_id'])
    .execute();
}

async function lockStored(
  transaction: Transaction<Tables>,
  owner: CounterOwner,
  sums: readonly CounterSum[],
): Promise<ReadonlyMap<string, ObservationCounterRow>> {
  const query = rowsOf(transaction, owner, sums)
    .selectAll()
    .orderBy('grain')
    .orderBy('minute')
    .orderBy('route_id')
    .orderBy('service_id');
  const rows = await traitsOf(transaction).lockRows(query, 'change').execute();
  return new Map(rows.map((row) => [keyText(row), row]));
}

function rowsOf(executor: Executor, owner: CounterOwner, sums: readonly CounterSum[]) {
  // The cast is for PostgreSQL, which takes values without a known type for text.
  const keys = sums.map(
    ({ key }) => sql`(${key.grain}, cast(${key.minute} as bigint), ${key.route_id}, ${key.service_id})`,
  );
  return (
    executor
      .selectFrom('observation_counters')
      .where('tenant_id', '=', owner.tenantId)
      .where('gateway_id', '=', owner.gatewayId)
      // These three follow from the last condition. They keep PostgreSQL, whose statistics know nothing of rows that are
      // new, from comparing every row of the gateway with every key.
      .where('grain', 'in', distinct(sums.map(({ key }) => key.grain)))
      .where('minute', 'in', distinct(sums.map(({ key }) => key.minute)))
      .where('route_id', 'in', distinct(sums.map(({ key }) => key.route_id)))
      .where(sql<boolean>`(grain, minute, route_id, service_id) in (values ${sql.join(keys)})`)
  );
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

async function replace(transaction: Transaction<Tables>, rows: ObservationCounterRow[]): Promise<void> {
  await transaction
    .insertInto('observation_counters')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(keyColumns).doUpdateSet(({ ref }) => ({
        requests: ref('excluded.requests'),
        errors_4xx: ref('excluded.errors_4xx'),
        errors_5xx: ref('excluded.errors_5xx'),
        latency_sum_us: ref('excluded.latency_sum_us'),
        request_bytes: ref('excluded.request_bytes'),
        response_bytes: ref('excluded.response_bytes'),
        statuses: ref('excluded.statuses'),
        histogram: ref('excluded.histogram'),
        over_thresholds: ref('excluded.over_thresholds'),
      })),
    )
    .execute();
}
