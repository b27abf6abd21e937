import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';

/** A store that already has what a tenant's bundle is about to write, for those of its records that refer to others. */
export interface DraftedStore {
  readonly store: ResourceStore;
  /** Adds records of one tenant. */
  add(records: readonly StoredRecord[]): void;
}

/** Nothing is drafted yet. What is asked for in any other way than by ID is only found once it is written. */
export function createDraftedStore(stored: ResourceStore, ownTenantId: string): DraftedStore {
  const drafts = new Map<string, StoredRecord>();
  const draftOf = (tenantId: string, family: string, id: string): StoredRecord | undefined =>
    tenantId === ownTenantId ? drafts.get(`${family}/${id}`) : undefined;
  return {
    store: {
      ...stored,
      async get(executor, tenantId, family, id) {
        return draftOf(tenantId, family, id) ?? stored.get(executor, tenantId, family, id);
      },
      async getMany(executor, tenantId, family, ids) {
        const found = ids.flatMap((id) => draftOf(tenantId, family, id) ?? []);
        const known = new Set(found.map(({ id }) => id));
        const others = ids.filter((id) => !known.has(id));
        return others.length === 0 ? found : [...found, ...(await stored.getMany(executor, tenantId, family, others))];
      },
    },
    add(records) {
      for (const record of records) drafts.set(`${record.family}/${record.id}`, record);
    },
  };
}
