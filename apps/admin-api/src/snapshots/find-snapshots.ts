import type { Executor } from '../database/database.ts';
import type { ConfigSnapshotRow } from '../database/tables.ts';
import { Problem } from '../http/problem.ts';

/** A snapshot of a tenant. @throws Problem `not_found`, for another tenant's as for one that does not exist */
export async function findSnapshot(executor: Executor, tenantId: string, id: string): Promise<ConfigSnapshotRow> {
  const row = await executor
    .selectFrom('config_snapshots')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new Problem('not_found', 'Snapshot not found');
  return row;
}

/** A page of a tenant's snapshots, newest first, and how many there are. */
export async function listSnapshots(
  executor: Executor,
  tenantId: string,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<{ readonly rows: readonly ConfigSnapshotRow[]; readonly total: number }> {
  const own = executor.selectFrom('config_snapshots').where('tenant_id', '=', tenantId);
  const { total } = await own.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
  const rows = await own
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(skip)
    .execute();
  return { rows, total: Number(total) };
}
