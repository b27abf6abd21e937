import { sql, type Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import type { ChangeRow, Tables, TenantRevisionRow } from '../database/tables.ts';
import { chunksOf } from '../database/chunks.ts';
import type { BulkTable } from '../database/bulk-insert.ts';
import { executeLater, insertLater } from '../database/deferred-statement.ts';
import type { ConfigurationTotals } from '../snapshots/configuration-hash.ts';
import { sumConfiguration } from '../snapshots/sum-configuration.ts';
import { totalsColumns, totalsOf } from '../snapshots/totals-columns.ts';
import type { RecordChange, RevisionPort } from './revision-port.ts';

/** How many revisions the change log reaches back, and with it the deltas of data planes. */
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
 * Moves the revisions of tenants and of their gateways, which data planes follow, and keeps the change log that their deltas
 * are made of.
 */
export function createRevisions({ clock, database, gatewayOf }: RevisionsOptions): RevisionPort {
  return {
    lock: async (transaction, tenantId) => (await lockTenant(transaction, tenantId)).revision,
    async lockConfiguration(transaction, tenantId) {
      const row = await lockTenant(transaction, tenantId);
      const isSummedUp = row.config_revision !== row.revision;
      const configuration = isSummedUp ? await sumConfiguration(transaction, tenantId) : totalsOf(row);
      return { revision: row.revision, configuration, isSummedUp, snapshotRevision: row.snapshot_revision };
    },
    async advance(transaction, tenantId, lockedRevision, changes, configuration) {
      const revision = lockedRevision + 1;
      await raise(transaction, tenantId, revision, configuration);
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

const lockedColumns = [
  'revision',
  'config_hash',
  'config_bytes',
  'config_counts',
  'config_revision',
  'snapshot_revision',
] as const;
type LockedRow = Pick<TenantRevisionRow, (typeof lockedColumns)[number]>;

async function lockTenant(transaction: Transaction<Tables>, tenantId: string): Promise<LockedRow> {
  const query = transaction.selectFrom('tenant_revisions').select(lockedColumns).where('tenant_id', '=', tenantId);
  const known = await traitsOf(transaction).lockRows(query, 'change').executeTakeFirst();
  if (known !== undefined) return known;
  // The tenant's first write. A conflict means that another first write came before; the update waits for it and locks.
  return transaction
    .insertInto('tenant_revisions')
    .values({ tenant_id: tenantId, revision: 0 })
    .onConflict((conflict) =>
      conflict.column('tenant_id').doUpdateSet({ revision: sql<number>`tenant_revisions.revision` }),
    )
    .returning(lockedColumns)
    .executeTakeFirstOrThrow();
}

/** The lock made the row, and keeps it at the revision before. */
async function raise(
  transaction: Transaction<Tables>,
  tenantId: string,
  revision: number,
  configuration: ConfigurationTotals | undefined,
): Promise<void> {
  const row = transaction.updateTable('tenant_revisions').where('tenant_id', '=', tenantId);
  await executeLater(
    transaction,
    row.set({ revision, config_revision: revision, ...(configuration && totalsColumns(configuration)) }),
  );
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
  const rows = changes.map((change, position) => {
    const { gateway_id, family, id, action } = change;
    return [tenantId, revision, position, gateway_id, family, id, action, changedAtMs];
  });
  await insertLater(transaction, changeTable, rows);
}

const changeColumns: Readonly<Record<keyof ChangeRow, 'text' | 'integer'>> = {
  tenant_id: 'text',
  revision: 'integer',
  position: 'integer',
  gateway_id: 'text',
  family: 'text',
  id: 'text',
  action: 'text',
  changed_at: 'integer',
};
const changeTable: BulkTable = { table: 'changes', columns: changeColumns };

/** Each write removes what one old write logged, so the log stays bounded without a job of its own. */
async function prune(transaction: Transaction<Tables>, tenantId: string, revision: number): Promise<void> {
  const newestToGo = revision - REVISIONS_KEPT - REVISIONS_SLACK;
  if (newestToGo < 1) return;
  const log = transaction.deleteFrom('changes').where('tenant_id', '=', tenantId);
  await executeLater(transaction, log.where('revision', '<=', newestToGo));
}
