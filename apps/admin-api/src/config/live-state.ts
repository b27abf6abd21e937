import type { BundleRecord, BundleState } from '@portcullis/bundle-diff';
import { bundleFamilies } from '@portcullis/resources';
import type { Executor } from '../database/database.ts';
import { scanBodies } from '../store/list-records.ts';
import type { StoredBody } from '../store/list-records.ts';

/** Live records of one collection as they are stored: texts, which go from thread to thread for next to nothing. */
export interface LivePage {
  /** Key of the collection in bundles. */
  readonly key: string;
  readonly rows: readonly StoredBody[];
}

/**
 * All records of the families that bundles hold, family after family, each in the order of creation. Use one transaction or
 * snapshot for all of it. Memory stays bounded by the page.
 */
export async function* scanLive(executor: Executor, tenantId: string): AsyncGenerator<LivePage, void> {
  for (const family of bundleFamilies) {
    for await (const rows of scanBodies(executor, tenantId, family.name)) yield { key: family.bundle.key, rows };
  }
}

/** A stored record in the shape that bundles are compared with. */
export function liveRecord({ id, gateway_id: gatewayId, body }: StoredBody): BundleRecord {
  const record = JSON.parse(body) as Record<string, unknown>;
  record['id'] = id;
  if (gatewayId !== null) record['gateway_id'] = gatewayId;
  return record;
}

/** The whole live state, for tenants that have little. */
export async function readLiveState(executor: Executor, tenantId: string): Promise<BundleState> {
  const state: Record<string, BundleRecord[]> = {};
  for await (const { key, rows } of scanLive(executor, tenantId)) {
    const records = (state[key] ??= []);
    for (const row of rows) records.push(liveRecord(row));
  }
  return state;
}
