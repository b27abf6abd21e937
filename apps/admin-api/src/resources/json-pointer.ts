/** The segments of a JSON Pointer, unescaped. Source: RFC 6901. */
export function pointerSegments(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A JSON Pointer from its segments. */
export function toPointer(segments: readonly (string | number)[]): string {
  return segments.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The value at a pointer; `undefined` when nothing is there. Inherited properties are not seen. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const segment of pointerSegments(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<string, unknown>)[segment];
  }
  return value;
}

/** A copy of the document with other values at some pointers. Only what leads to them is copied. */
export function withValuesAt<Document>(document: Document, replacements: ReadonlyMap<string, unknown>): Document {
  let result: unknown = document;
  for (const [pointer, value] of replacements) result = replaceAt(result, pointerSegments(pointer), value);
  return result as Document;
}

function replaceAt(node: unknown, segments: readonly string[], value: unknown): unknown {
  const [segment, ...rest] = segments;
  if (segment === undefined) return value;
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, segment)) return node;
  const replaced = replaceAt((node as Record<string, unknown>)[segment], rest, value);
  return Array.isArray(node) ? node.with(Number(segment), replaced) : { ...node, [segment]: replaced };
}
