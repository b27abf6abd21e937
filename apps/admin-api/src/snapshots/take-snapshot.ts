import type { ConfigSnapshotRow } from '../database/tables.ts';
import { Problem } from '../http/problem.ts';
import type { WriteSession } from '../resources/write-session.ts';
import { removeSnapshots } from './remove-snapshots.ts';
import { automaticSnapshotsMax, manualSnapshotsMax } from './snapshot-limits.ts';
import { snapshotView } from './snapshot-view.ts';
import type { SnapshotView } from './snapshot-view.ts';

/** What taking a snapshot needs. */
export interface TakeSnapshotParts {
  readonly newId: () => string;
  readonly nowMs: () => number;
}

/** Why a snapshot is taken, and what it is to say. */
export interface SnapshotRequest {
  readonly reason: ConfigSnapshotRow['reason'];
  readonly note: string | null;
  readonly createdBy: string;
}

/**
 * Takes a snapshot of the configuration as it is at `session.baseRevision`. Call it before the session's first write, and only
 * where there will be one: of a state that stays nobody needs another snapshot. It costs a few statements however large the
 * configuration is: records leave their state behind when they next change. It is noted for the audit log.
 * @throws Problem `invalid_state` when the tenant has too many that were taken by hand; of the others the oldest goes
 */
export async function takeSnapshot(
  parts: TakeSnapshotParts,
  session: WriteSession,
  { reason, note, createdBy }: SnapshotRequest,
): Promise<SnapshotView> {
  const { transaction, tenantId, baseRevision, history } = session;
  await makeRoom(session, reason);
  history.snapshotTaken();
  const { hash, bytes, counts } = history.totals;
  const row: ConfigSnapshotRow = {
    tenant_id: tenantId,
    id: parts.newId(),
    revision: baseRevision,
    reason,
    note,
    created_by: createdBy,
    created_at: parts.nowMs(),
    config_hash: hash,
    counts: JSON.stringify(counts),
    size_bytes: bytes,
  };
  await transaction.insertInto('config_snapshots').values(row).execute();
  await transaction
    .updateTable('tenant_revisions')
    .set({ snapshot_revision: baseRevision })
    .where('tenant_id', '=', tenantId)
    .execute();
  const view = snapshotView(row);
  session.noteAct({ action: 'create', entityType: 'config_snapshot', entityId: row.id, after: view });
  return view;
}

/** The tenant's lock is held, so snapshots taken at once cannot be too many together. */
async function makeRoom(session: WriteSession, reason: ConfigSnapshotRow['reason']): Promise<void> {
  const isManual = reason === 'manual';
  const kept = session.transaction
    .selectFrom('config_snapshots')
    .selectAll()
    .where('tenant_id', '=', session.tenantId)
    .where('reason', isManual ? '=' : '!=', 'manual')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
  const max = isManual ? manualSnapshotsMax : automaticSnapshotsMax;
  // Those beyond what may stay beside the new one; more than one only where the limit was higher before.
  const beyond = await kept
    .offset(max - 1)
    .limit(max)
    .execute();
  if (beyond.length === 0) return;
  if (isManual) {
    throw new Problem(
      'invalid_state',
      `A tenant has at most ${max} snapshots taken by hand: delete some of them first`,
    );
  }
  await removeSnapshots(session, beyond);
}
