/** An object of a description. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object, and no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of an object, never one of its prototype's. */
export function fieldOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The objects and lists in an object or a list, each with its key or index. Scalars cost nothing: a list may hold millions. */
export function* containersIn(value: object): Generator<readonly [step: string | number, inner: object]> {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const inner: unknown = value[index];
      if (typeof inner === 'object' && inner !== null) yield [index, inner];
    }
    return;
  }
  for (const step of Object.keys(value)) {
    const inner = (value as JsonObject)[step];
    if (typeof inner === 'object' && inner !== null) yield [step, inner];
  }
}

/** A field that is a text. */
export function textField(object: JsonObject, name: string): string | undefined {
  const value = fieldOf(object, name);
  return typeof value === 'string' ? value : undefined;
}
