import type { Executor } from '../database/database.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import { findSnapshot } from './find-snapshots.ts';
import { scanSnapshot } from './record-images.ts';

/** Reads a snapshot's records as the store reads live ones. @throws Problem `not_found` */
export async function recordsOfSnapshot(
  executor: Executor,
  tenantId: string,
  snapshotId: string,
): Promise<Pick<ResourceStore, 'scan'>> {
  const { revision } = await findSnapshot(executor, tenantId, snapshotId);
  return {
    async *scan(reader, ownTenantId, family, gatewayId) {
      for await (const page of scanSnapshot(reader, { tenantId: ownTenantId, revision }, family)) {
        yield gatewayId === undefined ? page : page.filter((record) => record.gatewayId === gatewayId);
      }
    },
  };
}
