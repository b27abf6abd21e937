import { sql, type Transaction } from 'kysely';
import type { BulkRow } from '../database/bulk-insert.ts';
import { chunksOf } from '../database/chunks.ts';
import type { Executor } from '../database/database.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import type { ObservationCounterRow } from '../database/observation-tables.ts';
import type { Tables } from '../database/tables.ts';
import { keyText, type CounterKey, type CounterOwner, type CounterSum } from './counter-sums.ts';

const keyColumns = { grain: 'text', minute: 'integer', route_id: 'text', service_id: 'text' } as const;
const columns = {
  tenant_id: 'text',
  gateway_id: 'text',
  ...keyColumns,
  requests: 'integer',
  errors_4xx: 'integer',
  errors_5xx: 'integer',
  latency_sum_us: 'integer',
  request_bytes: 'integer',
  response_bytes: 'integer',
  statuses: 'text',
  histogram: 'text',
  over_thresholds: 'text',
} as const satisfies Record<keyof ObservationCounterRow, 'text' | 'integer'>;
const names = Object.keys(columns) as readonly (keyof ObservationCounterRow)[];

const key = ['tenant_id', 'gateway_id', ...Object.keys(keyColumns)];
const conflict = `on conflict (${key.join(', ')})`;
const replacements = names.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`);
const table = 'observation_counters';
const asNew = { table, columns, ending: `${conflict} do nothing returning ${Object.keys(keyColumns).join(', ')}` };
const inPlace = { table, columns, ending: `${conflict} do update set ${replacements.join(', ')}` };

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
 * @param sums of different keys, in their order, as `sumsOfCounters` gives them
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
    const rows = chunk.map((sum) => sum.row(owner, before.get(keyText(sum.key))));
    for (const statement of traitsOf(transaction).insertRows(inPlace, rows.map(valuesOf))) {
      await transaction.executeQuery(statement);
    }
  }
}

async function insertNew(
  transaction: Transaction<Tables>,
  owner: CounterOwner,
  sums: readonly CounterSum[],
): Promise<readonly CounterKey[]> {
  const rows = sums.map((sum) => valuesOf(sum.row(owner)));
  const inserted: CounterKey[] = [];
  for (const statement of traitsOf(transaction).insertRows(asNew, rows)) {
    inserted.push(...(await transaction.executeQuery<CounterKey>(statement)).rows);
  }
  return inserted;
}

function valuesOf(row: ObservationCounterRow): BulkRow {
  return names.map((name) => row[name]);
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
  const keys = sums.map(({ key }) => [key.grain, key.minute, key.route_id, key.service_id]);
  const asked = traitsOf(executor).rowsOf('asked', keyColumns, keys);
  return (
    executor
      .selectFrom('observation_counters')
      .where('tenant_id', '=', owner.tenantId)
      .where('gateway_id', '=', owner.gatewayId)
      // These follow from the last condition. They keep PostgreSQL, whose statistics know nothing of rows that are new, from
      // comparing every row of the gateway with every key.
      .where('grain', 'in', distinct(sums.map(({ key }) => key.grain)))
      .where('minute', 'in', distinct(sums.map(({ key }) => key.minute)))
      .where('route_id', 'in', distinct(sums.map(({ key }) => key.route_id)))
      .where(
        sql<boolean>`(grain, minute, route_id, service_id) in
          (select asked.grain, asked.minute, asked.route_id, asked.service_id from ${asked})`,
      )
  );
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
