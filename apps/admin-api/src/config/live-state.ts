import type { BundleRecord, BundleState } from '@portcullis/bundle-diff';
import { bundleFamilies } from '@portcullis/resources';
import type { Executor } from '../database/database.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';

/** A tenant's configuration as it is stored, in the shape that bundles are compared with. */
export interface LiveState {
  readonly state: BundleState;
  /** By family name and ID. */
  readonly stored: ReadonlyMap<string, StoredRecord>;
}

/** Reads all records of the families that bundles hold. Use one transaction or snapshot for all of it. */
export async function readLiveState(store: ResourceStore, executor: Executor, tenantId: string): Promise<LiveState> {
  const state: Record<string, BundleRecord[]> = {};
  const stored = new Map<string, StoredRecord>();
  for (const family of bundleFamilies) {
    const records: BundleRecord[] = [];
    for await (const page of store.scan(executor, tenantId, family.name)) {
      for (const record of page) {
        records.push({
          ...record.body,
          id: record.id,
          ...(record.gatewayId !== null && { gateway_id: record.gatewayId }),
        });
        stored.set(storedKey(family.name, record.id), record);
      }
    }
    state[family.bundle.key] = records;
  }
  return { state, stored };
}

/** The key of a record in {@link LiveState.stored}. */
export function storedKey(familyName: string, id: string): string {
  return `${familyName}/${id}`;
}
