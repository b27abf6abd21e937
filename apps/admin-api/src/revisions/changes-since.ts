import type { Executor } from '../database/database.ts';
import type { ChangeRow } from '../database/tables.ts';
import { REVISIONS_KEPT } from './revisions.ts';

/** Most change rows in one delta; a node that missed more gets the whole configuration, which is then cheaper. */
export const DELTA_CHANGES_MAX = 10_000;

/** What moved since a revision, or that only the whole configuration will do. */
export type ChangesSince =
  | { readonly kind: 'delta'; readonly revision: number; readonly changes: readonly ChangeRow[] }
  | { readonly kind: 'snapshot_needed'; readonly revision: number };

/** A tenant's current revision; 0 for one that never changed. */
export async function currentRevision(executor: Executor, tenantId: string): Promise<number> {
  const row = await executor
    .selectFrom('tenant_revisions')
    .select('revision')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row?.revision ?? 0;
}

/**
 * The changes after `revision` up to the current one, in order. A snapshot is needed when the log does not reach back that
 * far, when there is too much of it, and when `revision` is ahead of the database (it was restored from a backup).
 * @param gatewayId leaves out changes of records of other gateways
 */
export async function changesSince(
  executor: Executor,
  tenantId: string,
  revision: number,
  gatewayId?: string,
): Promise<ChangesSince> {
  const current = await currentRevision(executor, tenantId);
  if (revision > current || revision < current - REVISIONS_KEPT) return { kind: 'snapshot_needed', revision: current };
  const changes = await executor
    .selectFrom('changes')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('revision', '>', revision)
    .where('revision', '<=', current)
    .$if(gatewayId !== undefined, (query) =>
      query.where((eb) => eb.or([eb('gateway_id', 'is', null), eb('gateway_id', '=', gatewayId ?? null)])),
    )
    .orderBy('revision')
    .orderBy('position')
    .limit(DELTA_CHANGES_MAX + 1)
    .execute();
  if (changes.length > DELTA_CHANGES_MAX) return { kind: 'snapshot_needed', revision: current };
  return { kind: 'delta', revision: current, changes };
}
