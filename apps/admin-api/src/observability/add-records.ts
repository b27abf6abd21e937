import { sql, type Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import type { ObservationRecordRow } from '../database/observation-tables.ts';
import type { Tables } from '../database/tables.ts';

const columns = {
  tenant_id: 'text',
  arrival: 'integer',
  id: 'text',
  gateway_id: 'text',
  request_id: 'text',
  occurred_at: 'integer',
  service_id: 'text',
  route_id: 'text',
  consumer_id: 'text',
  method: 'text',
  path: 'text',
  status: 'integer',
  status_source: 'text',
  latency_us: 'integer',
  upstream_latency_us: 'integer',
  gateway_latency_us: 'integer',
  request_bytes: 'integer',
  response_bytes: 'integer',
  client_ip: 'text',
  plugins: 'text',
  path_template: 'text',
  ai: 'text',
} as const satisfies Record<keyof ObservationRecordRow, 'text' | 'integer'>;
const names = Object.keys(columns) as readonly (keyof ObservationRecordRow)[];
const into = { table: 'observation_records', columns };

/** A row that has no number yet. */
export type ArrivingRecord = Omit<ObservationRecordRow, 'arrival'>;

/**
 * Stores a tenant's records under the next numbers and tells all replicas. Their order is that in which they become visible:
 * the tenant's row of numbers stays locked until the transaction ends. So this comes last in a transaction, and for several
 * tenants in their order.
 * @param records of one tenant
 */
export async function addRecords(
  database: Pick<Database, 'announceArrival'>,
  transaction: Transaction<Tables>,
  tenantId: string,
  records: readonly ArrivingRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const { arrival } = await transaction
    .insertInto('observation_arrivals')
    .values({ tenant_id: tenantId, arrival: records.length })
    .onConflict((conflict) =>
      conflict.column('tenant_id').doUpdateSet({
        arrival: sql<number>`observation_arrivals.arrival + excluded.arrival`,
      }),
    )
    .returning('arrival')
    .executeTakeFirstOrThrow();
  const first = arrival - records.length + 1;
  const rows = records.map((record, index) => {
    const row: ObservationRecordRow = { ...record, arrival: first + index };
    return names.map((name) => row[name]);
  });
  for (const statement of traitsOf(transaction).insertRows(into, rows)) await transaction.executeQuery(statement);
  await database.announceArrival(transaction, { tenantId, arrival });
}
