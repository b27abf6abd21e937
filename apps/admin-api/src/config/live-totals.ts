import { bundleFamilies } from '@portcullis/resources';
import type { Executor } from '../database/database.ts';
import { emptyConfiguration } from '../snapshots/configuration-hash.ts';
import type { ConfigurationTotals } from '../snapshots/configuration-hash.ts';
import { totalsOf } from '../snapshots/totals-columns.ts';

const ofBundles: ReadonlySet<string> = new Set(bundleFamilies.map(({ bundle }) => bundle.key));

/** A tenant's revision, and what its configuration amounts to at that revision. */
export interface LiveTotals extends ConfigurationTotals {
  readonly revision: number;
  /** Records of all collections of bundles. */
  readonly records: number;
}

/** Reads what is kept beside the tenant's revision: one row, however large the configuration is. */
export async function readLiveTotals(executor: Executor, tenantId: string): Promise<LiveTotals> {
  const row = await executor
    .selectFrom('tenant_revisions')
    .select(['revision', 'config_hash', 'config_bytes', 'config_counts'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  const totals = row ? totalsOf(row) : emptyConfiguration;
  const records = Object.entries(totals.counts).reduce(
    (sum, [key, count]) => sum + (ofBundles.has(key) ? count : 0),
    0,
  );
  return { ...totals, revision: row?.revision ?? 0, records };
}
