import type { Transaction } from 'kysely';
import type { ChangeRow, Tables } from '../database/tables.ts';
import type { ConfigurationTotals } from '../snapshots/configuration-hash.ts';

/** One changed record, for the change log and for the revision of the gateway that it concerns. */
export type RecordChange = Pick<ChangeRow, 'family' | 'id' | 'action' | 'gateway_id'>;

/** Where a tenant's configuration stands, as its lock found it. */
export interface LockedTenant {
  readonly revision: number;
  readonly configuration: ConfigurationTotals;
  /** Whether they were summed up anew, because a release that does not know them wrote last: then they have to be stored. */
  readonly isSummedUp: boolean;
  /** The newest revision of which there is a snapshot; -1 for none. */
  readonly snapshotRevision: number;
}

/** Moves a tenant's revision with the write that caused it. */
export interface RevisionPort {
  /**
   * Takes the tenant's lock and gives its current revision. Writers of one tenant queue here, so that revisions
   * are committed in order; call it first in every write transaction. 0 for a tenant that never changed.
   */
  lock(transaction: Transaction<Tables>, tenantId: string): Promise<number>;
  /** Does the same, and says as well what the configuration is. */
  lockConfiguration(transaction: Transaction<Tables>, tenantId: string): Promise<LockedTenant>;
  /**
   * Raises the tenant's revision by one, logs the changes under it and announces it. Returns the new revision.
   * @param lockedRevision what `lock` gave in this transaction
   * @param configuration what the configuration is after the changes, when they touch it
   */
  advance(
    transaction: Transaction<Tables>,
    tenantId: string,
    lockedRevision: number,
    changes: readonly RecordChange[],
    configuration?: ConfigurationTotals,
  ): Promise<number>;
}
