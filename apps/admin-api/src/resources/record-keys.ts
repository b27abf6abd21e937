import type { Family, FamilyKey } from '@portcullis/resources';
import type { UniqueKeyValue } from '../store/resource-store.ts';
import type { Values } from './values.ts';

/** Where a record's unique values live. */
export interface KeyPlace {
  readonly tenantId: string;
  readonly gatewayId: string | null;
  /** Of families whose records are found below another record only: that one's ID. */
  readonly parentId?: string;
}

const separator = '\u001F';

/** The unique values that a record holds. A key with a missing field is none. */
export function keysOf(family: Family, place: KeyPlace, body: Values): UniqueKeyValue[] {
  return family.keys.flatMap((key) => {
    const parts = key.fields.map((field) => body[field]);
    if (parts.some((part) => part === undefined || part === null)) return [];
    return [{ keyName: key.name, scope: keyScope(key, place, body), value: parts.map(String).join(separator) }];
  });
}

/** The key by which a detail path may name a record of the family, for a given name. */
export function addressKey(family: Family, place: KeyPlace, name: string): UniqueKeyValue | undefined {
  const key = family.keys.find((candidate) => candidate.addressable);
  return key && { keyName: key.name, scope: keyScope(key, place, parentOf(family, place)), value: name };
}

function parentOf({ parent }: Family, { parentId }: KeyPlace): Values {
  return parent && parentId !== undefined ? { [parent.field]: parentId } : {};
}

function keyScope(key: FamilyKey, place: KeyPlace, body: Values): string {
  if (key.scope === 'everywhere') return '';
  if (key.scope === 'tenant') return place.tenantId;
  if (key.scope === 'gateway') return `${place.tenantId}/${place.gatewayId ?? ''}`;
  return `${place.tenantId}/${String(body[key.scope.field])}`;
}
