import type { ObservationBatch } from '@portcullis/resources';
import type { DatabaseLog } from '../database/database-log.ts';
import type { Database } from '../database/database.ts';
import type { DataPlanePrincipal } from '../identity/principal.ts';
import { partsOf } from './batch-parts.ts';
import { saturatedSum } from './counter-pairs.ts';
import type { IngestMetrics } from './ingest-metrics.ts';
import { IngestQueue } from './ingest-queue.ts';
import { writeObservations, type WrittenPart } from './write-observations.ts';

/** Counts a node's batch. A batch that was counted before changes nothing. */
export type ObservationIngest = (node: DataPlanePrincipal, batch: ObservationBatch) => Promise<void>;

/**
 * Makes the ingest. Everything of a part of a batch is counted in one transaction, or nothing of it; what has an impossible time is
 * left out, and its number is kept and logged. When it resolves all of the batch is counted; when it throws the batch is to
 * be sent again. Source: reliability rules, Ingest; ADR 0051.
 */
export function createObservationIngest(
  database: Database,
  nowMs: () => number,
  log?: Pick<DatabaseLog, 'warn'>,
  metrics?: IngestMetrics,
): ObservationIngest {
  const queue = new IngestQueue<WrittenPart>((parts) => writeObservations(database, parts, nowMs()));
  return async (node, batch) => {
    const written = await queue.add(partsOf(node, batch));
    const counted = written.filter(({ isFirst }) => isFirst);
    metrics?.written(batch, counted);
    const dropped = { late: 0, future: 0, records: 0 };
    for (const { timely } of counted) {
      dropped.late = saturatedSum(dropped.late, timely.dropped.late);
      dropped.future = saturatedSum(dropped.future, timely.dropped.future);
      dropped.records += timely.dropped.records;
    }
    if (dropped.late + dropped.future + dropped.records === 0) return;
    log?.warn(
      { tenant_id: node.tenantId, data_plane_id: node.id, dropped },
      'left out observations that are in the future or older than their retention',
    );
  };
}
