import type { JsonObject } from '../../json.ts';

/** What may stand where something else belongs. Parsed, so that `__proto__` is a field. */
export const wrongValues: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e308,
  '',
  'x',
  '__proto__',
  [],
  [null],
  [[]],
  {},
  { type: 'x' },
  JSON.parse('{"__proto__":{"type":"text"},"constructor":1,"length":3}'),
];

/** Copies of some JSON, each with one value or field replaced by each of the {@link wrongValues}, or without it. */
export function* wronged(value: JsonObject): Generator<JsonObject> {
  for (const path of pathsOf(value)) {
    for (const wrong of wrongValues) yield replaced(value, path, wrong);
    yield replaced(value, path, undefined);
  }
}

/** An object that is nested more deeply than anything can be written. */
export function nested(): JsonObject {
  const depth = 100_000;
  return JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as JsonObject;
}

function* pathsOf(value: unknown): Generator<readonly (string | number)[]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    yield [name];
    for (const rest of pathsOf(inner)) yield [name, ...rest];
  }
}

function replaced(value: JsonObject, path: readonly (string | number)[], wrong: unknown): JsonObject {
  const copy = structuredClone(value);
  let at: Record<string | number, unknown> = copy;
  for (const step of path.slice(0, -1)) at = at[step] as Record<string | number, unknown>;
  const last = path.at(-1) ?? '';
  // A list without one of its values has no hole: JSON has none.
  if (wrong === undefined && Array.isArray(at)) at.splice(Number(last), 1);
  else if (wrong === undefined) Reflect.deleteProperty(at, last);
  else at[last] = wrong;
  return copy;
}
