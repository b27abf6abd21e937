import type { ResourceReferenceRow } from '../database/tables.ts';
import type { BulkWriteResult, WriteConflict } from './resource-store.ts';

/** The conflict that a reference without a target is. */
export function missingTarget(row: ResourceReferenceRow): WriteConflict {
  return { kind: 'reference_missing', field: row.field, targetFamily: row.target_family, targetId: row.target_id };
}

/** The outcome of many writes, of which the one at `index` conflicts. */
export function conflictAt(index: number, conflict: WriteConflict): BulkWriteResult {
  return { ok: false, index, conflict };
}
