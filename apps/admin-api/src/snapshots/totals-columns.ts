import type { TenantRevisionRow } from '../database/tables.ts';
import type { ConfigurationTotals } from './configuration-hash.ts';

type TotalsRow = Pick<TenantRevisionRow, 'config_hash' | 'config_bytes' | 'config_counts'>;

/** A configuration's totals as columns of `tenant_revisions`. */
export function totalsColumns({ hash, bytes, counts }: ConfigurationTotals): TotalsRow {
  return { config_hash: hash, config_bytes: bytes, config_counts: JSON.stringify(counts) };
}

/** The totals that stand in those columns. */
export function totalsOf(row: TotalsRow): ConfigurationTotals {
  const counts = JSON.parse(row.config_counts) as ConfigurationTotals['counts'];
  return { hash: row.config_hash, bytes: row.config_bytes, counts };
}
