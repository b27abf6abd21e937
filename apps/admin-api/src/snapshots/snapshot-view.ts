import type { ConfigSnapshotRow } from '../database/tables.ts';
import { toTimestamp } from '../resources/record-view.ts';

/** A snapshot as the API shows it. Source: wire contract, Configuration operations. */
export interface SnapshotView {
  readonly id: string;
  readonly tenant_id: string;
  readonly note: string | null;
  /** Who took it: a user's name, or what a caller says of itself. */
  readonly created_by: string;
  /** RFC 3339, UTC. */
  readonly created_at: string;
  readonly reason: ConfigSnapshotRow['reason'];
  /** Hash of the configuration, as `diff` shows it. */
  readonly config_hash: string;
  /** Collection of bundles → number of records; collections without records are left out. */
  readonly counts: Readonly<Record<string, number>>;
  /** Bytes of the configuration that it stands for, not of what it takes up. */
  readonly size_bytes: number;
  /** The tenant's revision that it holds. */
  readonly revision: number;
}

/** A stored snapshot as the API shows it. */
export function snapshotView(row: ConfigSnapshotRow): SnapshotView {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    note: row.note,
    created_by: row.created_by,
    created_at: toTimestamp(row.created_at),
    reason: row.reason,
    config_hash: row.config_hash,
    counts: JSON.parse(row.counts) as SnapshotView['counts'],
    size_bytes: row.size_bytes,
    revision: row.revision,
  };
}
