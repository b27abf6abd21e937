import type { Executor } from '../database/database.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import { identityFamilies } from './user-directory.ts';

/** Whether a user's record is that of a super administrator who may log in. */
export function isSuperAdministrator(record: StoredRecord | undefined): boolean {
  return record !== undefined && record.enabled && record.body['role'] === 'super_admin';
}

/** Whether anyone may log in as a super administrator. */
export async function hasSuperAdministrator(store: ResourceStore, executor: Executor): Promise<boolean> {
  for await (const page of store.scan(executor, '', identityFamilies.users)) {
    if (page.some(isSuperAdministrator)) return true;
  }
  return false;
}
