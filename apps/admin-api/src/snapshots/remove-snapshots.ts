import type { ConfigSnapshotRow } from '../database/tables.ts';
import type { WriteSession } from '../resources/write-session.ts';
import { snapshotView } from './snapshot-view.ts';

/** Snapshots of a tenant are few, so one statement removes all that go at once. */
type Removed = readonly ConfigSnapshotRow[];

/** Removes snapshots. What only they needed of earlier states is freed by and by; see `freeHistory`. */
export async function removeSnapshots(session: WriteSession, removed: Removed): Promise<void> {
  const { transaction, tenantId } = session;
  const ids = removed.map(({ id }) => id);
  await transaction.deleteFrom('config_snapshots').where('tenant_id', '=', tenantId).where('id', 'in', ids).execute();
  const newest = await transaction
    .selectFrom('config_snapshots')
    .select(({ fn }) => fn.max('revision').as('revision'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  await transaction
    .updateTable('tenant_revisions')
    .set({ snapshot_revision: newest?.revision ?? -1, history_to_free: 1 })
    .where('tenant_id', '=', tenantId)
    .execute();
  for (const row of removed) {
    session.noteAct({ action: 'delete', entityType: 'config_snapshot', entityId: row.id, before: snapshotView(row) });
  }
}
