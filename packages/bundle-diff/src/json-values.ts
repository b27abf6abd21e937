/** A record of a bundle: its fields as the wire names them. */
export type BundleRecord = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object: not null, not a list. */
export function isObject(value: unknown): value is BundleRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether two JSON values mean the same. The order of keys does not matter, the order of lists does, and a field with
 * the value null is as good as absent. Source: wire contract, Configuration operations.
 */
export function isSameValue(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (isAbsent(left) || isAbsent(right)) return isAbsent(left) && isAbsent(right);
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isSameValue(item, right[index]))
    );
  }
  if (!isObject(left) || !isObject(right)) return false;
  for (const key of Object.keys(left)) if (!isSameValue(left[key], ownValue(right, key))) return false;
  for (const key of Object.keys(right)) if (!isAbsent(right[key]) && !Object.hasOwn(left, key)) return false;
  return true;
}

/** Whether two JSON values are the same to the last null. Only the order of keys does not matter. */
export function isIdentical(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object') return false;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isIdentical(item, right[index]))
    );
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && isIdentical(left[key], right[key]));
}

/** Whether a value counts as not given. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** A field of an object; never one that it inherits. */
export function ownValue(object: BundleRecord, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A record without some of its fields, and without those that are null. */
export function withoutFields(record: BundleRecord, fields: ReadonlySet<string>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(record)) {
    const value = record[name];
    if (!isAbsent(value) && !fields.has(name)) kept[name] = value;
  }
  return kept;
}
