import type { BundleDescriptor, CollectionDescriptor } from '../descriptor.ts';
import { isAbsent, isObject } from '../json-values.ts';
import type { BundleRecord } from '../json-values.ts';
import { redacted, redactionMask } from '../redaction.ts';

/**
 * A bundle that may be shown: every secret that the descriptor knows of reads `[redacted]`, under other names of its field
 * too. It takes documents that were never checked. What the descriptor knows nothing about, a collection of another name or
 * a record that is no object, is masked as a whole; a field that it does not know is not.
 */
export function redactBundle(document: unknown, descriptor: BundleDescriptor): unknown {
  if (!isObject(document)) return isAbsent(document) ? document : redactionMask;
  const collections = new Map(descriptor.collections.map((collection) => [collection.key, collection]));
  const shown = Object.entries(document).map(([key, value]) => [key, shownEntry(key, value, collections.get(key))]);
  return Object.fromEntries(shown);
}

function shownEntry(key: string, value: unknown, collection: CollectionDescriptor | undefined): unknown {
  if (isAbsent(value) || (key === 'tenant_id' && typeof value === 'string')) return value;
  if (!collection || !Array.isArray(value)) return redactionMask;
  return value.map((record: unknown) => (isObject(record) ? redactedRecord(record, collection) : redactionMask));
}

/** Secrets are known by a field's own name, so a field under another name is looked at under its own. */
function redactedRecord(record: BundleRecord, collection: CollectionDescriptor): BundleRecord {
  let shown = redacted(record, collection);
  for (const [alias, field] of Object.entries(collection.aliases)) {
    if (isAbsent(record[alias])) continue;
    const { [field]: value } = redacted({ ...record, [field]: record[alias] }, collection);
    shown = { ...shown, [alias]: value };
  }
  return shown;
}
