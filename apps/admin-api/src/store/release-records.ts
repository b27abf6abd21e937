import type { Transaction } from 'kysely';
import { chunksOf } from '../database/chunks.ts';
import { executeLater } from '../database/deferred-statement.ts';
import type { Tables } from '../database/tables.ts';

/**
 * Takes the unique values and the references of records away and leaves the records themselves: the first step where many
 * change or go together and none shall stand in another's way. Any number of IDs.
 */
export async function releaseRecords(
  transaction: Transaction<Tables>,
  tenantId: string,
  family: string,
  ids: readonly string[],
): Promise<void> {
  for (const chunk of chunksOf(ids)) {
    for (const table of ['resource_keys', 'resource_references'] as const) {
      const rows = transaction.deleteFrom(table).where('tenant_id', '=', tenantId).where('family', '=', family);
      await executeLater(transaction, rows.where('id', 'in', chunk));
    }
  }
}
