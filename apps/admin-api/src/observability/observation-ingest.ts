import type { ObservationBatch } from '@portcullis/resources';
import type { Transaction } from 'kysely';
import { chunksOf } from '../database/chunks.ts';
import type { DatabaseLog } from '../database/database-log.ts';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import type { DataPlanePrincipal } from '../identity/principal.ts';
import { addCounters, storedKeys } from './add-counters.ts';
import { sumsOfBatch } from './counter-sums.ts';
import { recordRow } from './request-records.ts';
import { timelyObservations } from './timely-observations.ts';

/** Counts a node's batch. A batch that was counted before changes nothing. */
export type ObservationIngest = (node: DataPlanePrincipal, batch: ObservationBatch) => Promise<void>;

/**
 * Makes the ingest. Everything of a batch is counted in one transaction, or nothing of it; what has an impossible time is
 * left out and its number logged. Whatever can be done before the transaction is, so that the only writer of SQLite is held
 * for short. Source: reliability rules, Ingest.
 */
export function createObservationIngest(
  database: Database,
  nowMs: () => number,
  log?: Pick<DatabaseLog, 'warn'>,
): ObservationIngest {
  return async (node, batch) => {
    const receivedAtMs = nowMs();
    const { counters, records, refused } = timelyObservations(batch, receivedAtMs);
    const sums = sumsOfBatch(counters);
    const rows = records.map((record) => recordRow(node, record));
    const known = await storedKeys(database.read, node, sums);
    const isCounted = await database.transaction(async (transaction) => {
      if (!(await isFirst(transaction, node, batch, receivedAtMs))) return false;
      await addCounters(transaction, node, sums, known);
      for (const chunk of chunksOf(rows)) {
        await transaction
          .insertInto('observation_records')
          .values(chunk)
          .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
          .execute();
      }
      return true;
    });
    if (!isCounted || refused.counters + refused.records === 0) return;
    log?.warn(
      { tenant_id: node.tenantId, data_plane_id: node.id, refused },
      'left out observations that are in the future or older than their retention',
    );
  };
}

async function isFirst(
  transaction: Transaction<Tables>,
  node: DataPlanePrincipal,
  batch: ObservationBatch,
  receivedAtMs: number,
): Promise<boolean> {
  const inserted = await transaction
    .insertInto('observation_batches')
    .values({
      tenant_id: node.tenantId,
      data_plane_id: node.id,
      boot_id: batch.boot_id,
      sequence: batch.sequence,
      received_at: receivedAtMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
}
