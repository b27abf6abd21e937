/** Steps from a document to a place in it. */
export type Steps = readonly (string | number)[];

/** The place as a JSON Pointer. Source: RFC 6901. */
export function pointerOf(steps: Steps): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A copy of a document with a value at a place; containers on the way are made where they are missing. */
export function withValue(document: unknown, steps: Steps, value: unknown): unknown {
  const [first, ...rest] = steps;
  if (first === undefined) return value;
  if (typeof first === 'number') {
    const list: unknown[] = Array.isArray(document) ? [...document] : [];
    list[first] = withValue(list[first], rest, value);
    return list;
  }
  const object = isObject(document) ? document : {};
  return { ...object, [first]: withValue(object[first], rest, value) };
}

/** A copy of a document without what stands at a place. */
export function without(document: unknown, steps: Steps): unknown {
  const [first, ...rest] = steps;
  if (first === undefined || typeof document !== 'object' || document === null) return document;
  if (Array.isArray(document)) return document.map((item, index) => (index === first ? without(item, rest) : item));
  const { [first]: inner, ...others } = document as Record<string, unknown>;
  return rest.length === 0 ? others : { ...others, [first]: without(inner, rest) };
}

/** What stands at a place; nothing when there is no such place. */
export function valueAt(document: unknown, steps: Steps): unknown {
  let value = document;
  for (const step of steps) value = isObject(value) || Array.isArray(value) ? Reflect.get(value, step) : undefined;
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
