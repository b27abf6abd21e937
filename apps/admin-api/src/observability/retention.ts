import { sql, type Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';

/** How long observations are kept. Batches are remembered longer than a node may try to send one again. */
export const retentionMs = {
  records: 7 * 86_400_000,
  counters: 90 * 86_400_000,
  batches: 2 * 86_400_000,
} as const;

/** The oldest minute whose counters are kept, in whole minutes since 1970. */
export function oldestMinute(nowMs: number): number {
  return Math.floor((nowMs - retentionMs.counters) / 60_000);
}

/** Rows that one step deletes, so that no step holds the writer for long. */
const rowsPerStep = 2000;

/** Steps of one pruning for each table; what is left then waits for the next. */
const stepsMax = 50;

/** Deletes some rows that are older than a time. @returns how many */
type DeleteStep = (transaction: Transaction<Tables>, nowMs: number) => Promise<bigint>;

/** Deletes what is older than its retention, in small transactions between which other writers get their turn. */
export async function pruneObservations(database: Database, nowMs: number): Promise<void> {
  for (const deleteSome of [deleteRecords, deleteCounters, deleteBatches]) {
    for (let step = 0; step < stepsMax; step += 1) {
      const deleted = await database.transaction((transaction) => deleteSome(transaction, nowMs));
      if (deleted < rowsPerStep) break;
    }
  }
}

const deleteRecords: DeleteStep = async (transaction, nowMs) => {
  const old = transaction
    .selectFrom('observation_records')
    .select(['tenant_id', 'id'])
    .where('occurred_at', '<', nowMs - retentionMs.records)
    .limit(rowsPerStep);
  const query = transaction.deleteFrom('observation_records').where(sql<boolean>`(tenant_id, id) in (${old})`);
  return (await query.executeTakeFirst()).numDeletedRows;
};

const deleteCounters: DeleteStep = async (transaction, nowMs) => {
  const old = transaction
    .selectFrom('observation_counters')
    .select(['tenant_id', 'gateway_id', 'grain', 'minute', 'route_id', 'service_id'])
    // A row may be of a whole hour: it goes when all of its minutes are too old.
    .where('minute', '<', oldestMinute(nowMs) - 60)
    .limit(rowsPerStep);
  const query = transaction
    .deleteFrom('observation_counters')
    .where(sql<boolean>`(tenant_id, gateway_id, grain, minute, route_id, service_id) in (${old})`);
  return (await query.executeTakeFirst()).numDeletedRows;
};

const deleteBatches: DeleteStep = async (transaction, nowMs) => {
  const old = transaction
    .selectFrom('observation_batches')
    .select(['tenant_id', 'data_plane_id', 'boot_id', 'sequence'])
    .where('received_at', '<', nowMs - retentionMs.batches)
    .limit(rowsPerStep);
  const query = transaction
    .deleteFrom('observation_batches')
    .where(sql<boolean>`(tenant_id, data_plane_id, boot_id, sequence) in (${old})`);
  return (await query.executeTakeFirst()).numDeletedRows;
};
