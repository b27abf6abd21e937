import type { Transaction } from 'kysely';
import type { ChangeRow, Tables } from '../database/tables.ts';

/** One changed record, for the change log and for the revision of the gateway that it concerns. */
export type RecordChange = Pick<ChangeRow, 'family' | 'id' | 'action' | 'gateway_id'>;

/** Moves a tenant's revision with the write that caused it. */
export interface RevisionPort {
  /**
   * Takes the tenant's lock and gives its current revision. Writers of one tenant queue here, so that revisions
   * are committed in order; call it first in every write transaction. 0 for a tenant that never changed.
   */
  lock(transaction: Transaction<Tables>, tenantId: string): Promise<number>;
  /**
   * Raises the tenant's revision by one, logs the changes under it and announces it. Returns the new revision.
   * @param lockedRevision what `lock` gave in this transaction
   */
  advance(
    transaction: Transaction<Tables>,
    tenantId: string,
    lockedRevision: number,
    changes: readonly RecordChange[],
  ): Promise<number>;
}
