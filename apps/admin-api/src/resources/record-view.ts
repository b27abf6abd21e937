import type { Family } from '@portcullis/resources';
import { metadataOf } from '@portcullis/resources';
import type { StoredRecord } from '../store/resource-store.ts';
import type { Values } from './values.ts';

const visibleFields = new WeakMap<Family, readonly string[]>();

/** Names of the fields that reads of a family show, in the order of its declaration. */
function visibleFieldsOf(family: Family): readonly string[] {
  let names = visibleFields.get(family);
  if (!names) {
    const own = Object.entries(family.fields).filter(([, schema]) => metadataOf(schema).writeOnly !== true);
    names = [...own.map(([name]) => name), ...Object.keys(family.readOnlyFields)];
    visibleFields.set(family, names);
  }
  return names;
}

/** Milliseconds since 1970 as the wire shows them: RFC 3339, UTC, with milliseconds. */
export function toTimestamp(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** A record as reads show it. Fields that the family does not declare, hashes for instance, never leave the store. */
export function viewOf(family: Family, record: StoredRecord, live: Values = {}): Values {
  const view: Record<string, unknown> = { id: record.id };
  if (family.scope !== 'system') view['tenant_id'] = record.tenantId === '' ? null : record.tenantId;
  if (family.scope === 'gateway') view['gateway_id'] = record.gatewayId;
  for (const name of visibleFieldsOf(family)) {
    const value = Object.hasOwn(live, name) ? live[name] : record.body[name];
    if (value !== undefined) view[name] = value;
  }
  view['created_at'] = toTimestamp(record.createdAtMs);
  view['updated_at'] = toTimestamp(record.updatedAtMs);
  view['revision'] = record.revision;
  return view;
}
