/** Whether a value of JSON is an object, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of an object of JSON: its own one, or `undefined`. Takes anything. */
export function field(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A count: a whole number, 0 or more, as a number or in digits. `undefined` for all else. */
export function count(value: unknown): number | undefined {
  const given = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof given === 'number' && Number.isSafeInteger(given) && given >= 0 ? given : undefined;
}

/** The items of a list that an answer must have, at most `itemsMax`, or `undefined` when there is none. */
export function list(value: unknown, itemsMax: number): readonly unknown[] | undefined {
  return Array.isArray(value) ? value.slice(0, itemsMax) : undefined;
}
