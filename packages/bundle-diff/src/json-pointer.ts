import { isObject, ownValue } from './json-values.ts';
import type { BundleRecord } from './json-values.ts';

/** A JSON Pointer with one more step. Source: RFC 6901. */
export function pointerTo(parent: string, step: string | number): string {
  return `${parent}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The steps of a JSON Pointer, unescaped; none for the empty pointer. */
export function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value that a pointer leads to, or `undefined` where it leads nowhere. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const step of stepsOf(pointer)) {
    if (Array.isArray(value)) value = /^(?:0|[1-9]\d*)$/.test(step) ? value[Number(step)] : undefined;
    else value = isObject(value) ? ownValue(value, step) : undefined;
  }
  return value;
}

/**
 * A copy with other values at places that exist; places that do not are left out. What holds none of them is shared, not
 * copied, and what holds several is copied once. The empty pointer is no place.
 * @param values by JSON Pointer
 */
export function withValuesAt(document: BundleRecord, values: Iterable<readonly [string, unknown]>): BundleRecord {
  const own = new Set<unknown>();
  const ownCopy = (container: object): object => {
    if (own.has(container)) return container;
    const copy = Array.isArray(container) ? [...(container as unknown[])] : { ...container };
    own.add(copy);
    return copy;
  };
  let root: object = document;
  for (const [pointer, value] of values) {
    const steps = stepsOf(pointer);
    const last = steps.pop();
    if (last === undefined || valueAt(document, pointer) === undefined) continue;
    root = ownCopy(root);
    let container = root as Record<string, unknown>;
    for (const step of steps) {
      const inner = ownCopy(container[step] as object);
      container[step] = inner;
      container = inner as Record<string, unknown>;
    }
    container[last] = value;
  }
  return root as BundleRecord;
}

/** The pointers and everything that they lie in, the document itself left out. */
export function withAncestors(pointers: Iterable<string>): ReadonlySet<string> {
  const all = new Set<string>();
  for (const pointer of pointers) {
    for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
      const ancestor = pointer.slice(0, end);
      if (all.has(ancestor)) break;
      all.add(ancestor);
    }
  }
  return all;
}
