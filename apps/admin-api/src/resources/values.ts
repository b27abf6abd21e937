/** The fields of a record by name. */
export type Values = Readonly<Record<string, unknown>>;

/** Whether a value is an object with fields: neither an array nor `null`. */
export function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The values without some fields. */
export function without(values: Values, ...fields: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !fields.includes(name)));
}

/** Whether two JSON values are equal; the order of an object's keys does not matter. */
export function isEqualJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isEqualJson(item, right[index]));
  }
  if (!isValues(left) || !isValues(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isEqualJson(left[key], right[key]))
  );
}

/** Applies a JSON Merge Patch: objects merge, `null` removes, anything else replaces. Source: RFC 7386. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isValues(patch)) return patch;
  const merged: Record<string, unknown> = isValues(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}
