import type { Family } from '@portcullis/resources';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import type { Values } from './values.ts';
import type { DraftingSession } from './draft-record.ts';

/**
 * The store for drafting many records of one family: the records that they refer to by ID are read at once, instead of one
 * by one. Good as long as nothing is written.
 */
export async function withKnownTargets(
  store: ResourceStore,
  { transaction, tenantId: ownTenantId }: Pick<DraftingSession, 'transaction' | 'tenantId'>,
  family: Family,
  sent: readonly Values[],
): Promise<ResourceStore> {
  const known = new Map<string, StoredRecord>();
  for (const { field, family: targetFamily, many } of family.references) {
    if (many) continue;
    const ids = new Set(sent.flatMap((values) => (typeof values[field] === 'string' ? [values[field]] : [])));
    for (const record of await store.getMany(transaction, ownTenantId, targetFamily, [...ids])) {
      known.set(JSON.stringify([targetFamily, record.id]), record);
    }
  }
  return {
    ...store,
    async get(executor, tenantId, familyName, id) {
      const found = tenantId === ownTenantId ? known.get(JSON.stringify([familyName, id])) : undefined;
      return found ?? store.get(executor, tenantId, familyName, id);
    },
  };
}
