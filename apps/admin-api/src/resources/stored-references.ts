import type { Family } from '@portcullis/resources';
import type { ReferenceValue, StoredRecord } from '../store/resource-store.ts';
import { parentReference } from './draft-record.ts';

/** The references of a stored record: its fields hold IDs. */
export function storedReferences(family: Family, { body, gatewayId }: StoredRecord): ReferenceValue[] {
  const own = family.references.flatMap(({ field, family: targetFamily, many }) => {
    const held = body[field];
    const ids: unknown[] = many && Array.isArray(held) ? held : [held];
    return ids.flatMap((targetId) => (typeof targetId === 'string' ? [{ field, targetFamily, targetId }] : []));
  });
  return [...own, ...parentReference(family, gatewayId)];
}
