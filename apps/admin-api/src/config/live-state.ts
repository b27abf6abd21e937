import type { BundleRecord, BundleState } from '@portcullis/bundle-diff';
import { bundleFamilies } from '@portcullis/resources';
import type { Executor } from '../database/database.ts';
import { contentsOf, scanTexts } from '../store/scan-texts.ts';
import type { StoredContent } from '../store/scan-texts.ts';

/** Live records of one collection as they are stored: a text, which goes from thread to thread for next to nothing. */
export interface LivePage {
  /** Key of the collection in bundles. */
  readonly key: string;
  /** See `scanTexts`. */
  readonly text: string;
}

/**
 * All records of the families that bundles hold, family after family, each in the order of creation. Use one transaction or
 * snapshot for all of it. Memory stays bounded by the page.
 */
export async function* scanLive(executor: Executor, tenantId: string): AsyncGenerator<LivePage, void> {
  for (const family of bundleFamilies) {
    for await (const text of scanTexts(executor, tenantId, family.name)) yield { key: family.bundle.key, text };
  }
}

/** The records of a page in the shape that bundles are compared with. */
export function liveRecords({ text }: LivePage): BundleRecord[] {
  return contentsOf(text).map(liveRecord);
}

function liveRecord([id, gatewayId, fields]: StoredContent): BundleRecord {
  // The text was parsed for this, so the fields are nobody else's.
  fields['id'] = id;
  if (gatewayId !== null) fields['gateway_id'] = gatewayId;
  return fields;
}

/** The whole live state, for tenants that have little. */
export async function readLiveState(executor: Executor, tenantId: string): Promise<BundleState> {
  const state: Record<string, BundleRecord[]> = {};
  for await (const page of scanLive(executor, tenantId)) {
    const records = (state[page.key] ??= []);
    for (const record of liveRecords(page)) records.push(record);
  }
  return state;
}
