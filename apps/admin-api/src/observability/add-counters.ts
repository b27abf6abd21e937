import { sql, type Transaction } from 'kysely';
import { chunksOf } from '../database/chunks.ts';
import type { Executor } from '../database/database.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import type { ObservationCounterRow } from '../database/observation-tables.ts';
import type { Tables } from '../database/tables.ts';
import { keyText, type CounterKey, type CounterOwner, type CounterSum } from './counter-sums.ts';

const columns = {
  grain: 'text',
  minute: 'integer',
  route_id: 'text',
  service_id: 'text',
  requests: 'integer',
  errors_4xx: 'integer',
  errors_5xx: 'integer',
  latency_sum_us: 'integer',
  request_bytes: 'integer',
  response_bytes: 'integer',
  statuses: 'text',
  histogram: 'text',
  over_thresholds: 'text',
} as const satisfies Partial<Record<keyof ObservationCounterRow, 'text' | 'integer'>>;
const keyColumns = { grain: 'text', minute: 'integer', route_id: 'text', service_id: 'text' } as const;
const names = Object.keys(columns) as readonly (keyof typeof columns)[];
const valueNames = names.filter((name) => !(name in keyColumns));

const columnList = sql.join(['tenant_id', 'gateway_id', ...names].map((name) => sql.ref(name)));
const newList = sql.join(names.map((name) => sql.ref(`added.${name}`)));
const conflict = sql`on conflict (tenant_id, gateway_id, grain, minute, route_id, service_id)`;
const replacements = sql.join(valueNames.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`));

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
    await sql`${insertOf(transaction, owner, rows)} ${conflict} do update set ${replacements}`.execute(transaction);
  }
}

async function insertNew(
  transaction: Transaction<Tables>,
  owner: CounterOwner,
  sums: readonly CounterSum[],
): Promise<readonly CounterKey[]> {
  const rows = sums.map((sum) => sum.row(owner));
  const { rows: keys } = await sql<CounterKey>`
    ${insertOf(transaction, owner, rows)} ${conflict} do nothing returning grain, minute, route_id, service_id
  `.execute(transaction);
  return keys;
}

/** The rows as one or a few bound values, so that the statement stays the same whatever their number. */
function insertOf(transaction: Transaction<Tables>, owner: CounterOwner, rows: readonly ObservationCounterRow[]) {
  const values = rows.map((row) => names.map((name) => row[name]));
  return sql`
    insert into observation_counters (${columnList})
    select ${owner.tenantId}, ${owner.gatewayId}, ${newList} from ${traitsOf(transaction).rowsOf('added', columns, values)}
    where true
  `;
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
      .where(
        sql<boolean>`(grain, minute, route_id, service_id) in
          (select asked.grain, asked.minute, asked.route_id, asked.service_id from ${asked})`,
      )
  );
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
