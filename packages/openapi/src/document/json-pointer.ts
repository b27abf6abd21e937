import { fieldOf, isObject } from './json-values.ts';

/** A JSON Pointer with one more step. Source: RFC 6901. */
export function pointerTo(parent: string, step: string | number): string {
  return `${parent}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The JSON Pointer of steps that were taken from the document's root. */
export function pointerOver(steps: readonly (string | number)[]): string {
  return steps.reduce<string>(pointerTo, '');
}

/** The steps of a JSON Pointer, unescaped; none for the empty pointer. */
export function stepsOf(pointer: string): readonly string[] {
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
    else value = isObject(value) ? fieldOf(value, step) : undefined;
  }
  return value;
}
