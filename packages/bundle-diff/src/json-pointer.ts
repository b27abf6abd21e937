import { isObject, ownValue } from './json-values.ts';

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

/** A copy with another value at a place that exists; what lies beside the path is shared, not copied. */
export function withValueAt(document: unknown, pointer: string, value: unknown): unknown {
  return replaced(document, stepsOf(pointer), value);
}

function replaced(document: unknown, steps: readonly string[], value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (Array.isArray(document)) {
    return document.map((item: unknown, index) => (String(index) === step ? replaced(item, rest, value) : item));
  }
  if (!isObject(document)) return document;
  return { ...document, [step]: replaced(ownValue(document, step), rest, value) };
}
