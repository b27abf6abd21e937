import type { CollectionDescriptor } from './descriptor.ts';
import { isAbsent, isSameValue } from './json-values.ts';
import type { BundleRecord } from './json-values.ts';
import { valueAt, withValuesAt } from './json-pointer.ts';

/** What is printed in place of a secret. */
export const redactionMask = '[redacted]';

const maskForm = /^\[redacted(?::[0-9a-f]{8})?\]$/;

/** Whether a value is a mask that a read showed in place of a secret, with or without a digest. */
export function isRedactionMask(value: unknown): boolean {
  return typeof value === 'string' && maskForm.test(value);
}

/** Pointers of the secrets that a record has a value for. */
export function secretPlaces(record: BundleRecord, collection: CollectionDescriptor): readonly string[] {
  return (collection.secretsOf?.(record) ?? []).filter((pointer) => !isAbsent(valueAt(record, pointer)));
}

/** A record with its secrets replaced by the mask. */
export function redacted(record: BundleRecord, collection: CollectionDescriptor): BundleRecord {
  return withValuesAt(
    record,
    secretPlaces(record, collection).map((pointer) => [pointer, redactionMask] as const),
  );
}

/** Secrets of a record that are masks. */
export function maskedSecrets(record: BundleRecord, collection: CollectionDescriptor): readonly string[] {
  return secretPlaces(record, collection).filter((pointer) => isRedactionMask(valueAt(record, pointer)));
}

/**
 * What a record of the bundle asks for, given the live one: a bare mask and an absent write-only field mean the live value,
 * and a secret that is the same reads the same. So comparing the result with the live record shows what really changes.
 */
export function asDesired(live: BundleRecord, desired: BundleRecord, collection: CollectionDescriptor): BundleRecord {
  let record = desired;
  for (const field of collection.keptWhenAbsent) {
    if (isAbsent(desired[field]) && !isAbsent(live[field])) record = { ...record, [field]: live[field] };
  }
  const kept = (collection.secretsOf?.(record) ?? []).filter(
    (pointer) => valueAt(record, pointer) === redactionMask || isSame(live, record, pointer, collection),
  );
  return withValuesAt(
    record,
    kept.map((pointer) => [pointer, valueAt(live, pointer)] as const),
  );
}

function isSame(live: BundleRecord, desired: BundleRecord, pointer: string, collection: CollectionDescriptor): boolean {
  if (isSameValue(valueAt(live, pointer), valueAt(desired, pointer))) return true;
  return collection.isSameSecret?.(live, desired, pointer) ?? false;
}
