import { sql, type Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import type { ChangeRow, Tables } from '../database/tables.ts';
import { chunksOf } from '../database/chunks.ts';
import { executeLater } from '../database/deferred-statement.ts';
import type { RecordChange, RevisionPort } from './revision-port.ts';

/** How many revisions the change log reaches back: as far as deltas shall go once data planes are sent any. */
export const REVISIONS_KEPT = 10_000;
/** Further revisions whose rows stay, so that a delta being read is not pruned under its reader's hands. */
const REVISIONS_SLACK = 100;

/** What `createRevisions` needs. */
export interface RevisionsOptions {
  readonly clock: { nowMs(): number };
  readonly database: Pick<Database, 'announce'>;
  /** Which gateway's configuration a change is part of: its ID, empty for every gateway of the tenant, nothing for none. */
  readonly gatewayOf: (change: RecordChange) => string | undefined;
}

/**
 * Moves the revisions of tenants and of their gateways, which data planes follow, and keeps the change log. Nothing serves
 * the log yet: data planes fetch whole configurations.
 */
export function createRevisions({ clock, database, gatewayOf }: RevisionsOptions): RevisionPort {
  return {
    lock: lockRevision,
    async advance(transaction, tenantId, lockedRevision, changes) {
      const revision = lockedRevision + 1;
      await raise(transaction, tenantId, revision);
      await logChanges(transaction, tenantId, revision, changes, clock.nowMs());
      await raiseGateways(
        transaction,
        tenantId,
        revision,
        new Set(changes.flatMap((change) => gatewayOf(change) ?? [])),
      );
      await prune(transaction, tenantId, revision);
      await database.announce(transaction, { tenantId, revision });
      return revision;
    },
  };
}

async function lockRevision(transaction: Transaction<Tables>, tenantId: string): Promise<number> {
  const query = transaction.selectFrom('tenant_revisions').select('revision').where('tenant_id', '=', tenantId);
  const known = await traitsOf(transaction).lockRows(query, 'change').executeTakeFirst();
  if (known !== undefined) return known.revision;
  // The tenant's first write. A conflict means that another first write came before; the update waits for it and locks.
  const { revision } = await transaction
    .insertInto('tenant_revisions')
    .values({ tenant_id: tenantId, revision: 0 })
    .onConflict((conflict) =>
      conflict.column('tenant_id').doUpdateSet({ revision: sql<number>`tenant_revisions.revision` }),
    )
    .returning('revision')
    .executeTakeFirstOrThrow();
  return revision;
}

/** The lock made the row, and keeps it at the revision before. */
async function raise(transaction: Transaction<Tables>, tenantId: string, revision: number): Promise<void> {
  const row = transaction.updateTable('tenant_revisions').where('tenant_id', '=', tenantId);
  await executeLater(transaction, row.set({ revision }));
}

async function raiseGateways(
  transaction: Transaction<Tables>,
  tenantId: string,
  revision: number,
  gatewayIds: ReadonlySet<string>,
): Promise<void> {
  const rows = [...gatewayIds].map((gatewayId) => ({ tenant_id: tenantId, gateway_id: gatewayId, revision }));
  for (const chunk of chunksOf(rows)) {
    const insert = transaction.insertInto('gateway_revisions').values(chunk);
    await executeLater(
      transaction,
      insert.onConflict((conflict) => conflict.columns(['tenant_id', 'gateway_id']).doUpdateSet({ revision })),
    );
  }
}

async function logChanges(
  transaction: Transaction<Tables>,
  tenantId: string,
  revision: number,
  changes: readonly RecordChange[],
  changedAtMs: number,
): Promise<void> {
  const rows = changes.map((change, position): ChangeRow => ({
    tenant_id: tenantId,
    revision,
    position,
    gateway_id: change.gateway_id,
    family: change.family,
    id: change.id,
    action: change.action,
    changed_at: changedAtMs,
  }));
  for (const chunk of chunksOf(rows)) {
    await executeLater(transaction, transaction.insertInto('changes').values(chunk));
  }
}

/** Each write removes what one old write logged, so the log stays bounded without a job of its own. */
async function prune(transaction: Transaction<Tables>, tenantId: string, revision: number): Promise<void> {
  const newestToGo = revision - REVISIONS_KEPT - REVISIONS_SLACK;
  if (newestToGo < 1) return;
  const log = transaction.deleteFrom('changes').where('tenant_id', '=', tenantId);
  await executeLater(transaction, log.where('revision', '<=', newestToGo));
}
