import type { JsonSchema } from '../json-schema.ts';

/** A config that was right until one thing in it was altered. */
export interface AlteredConfig {
  /** What was done, for the message of a test that fails. */
  readonly change: string;
  readonly config: unknown;
}

/** One of each kind of JSON value, and the texts and numbers that fields seldom take. */
const STRANGE_VALUES: readonly unknown[] = [null, true, -1.5, 1e9, '', 'a\nb', [], [null], [['']], {}, { ' ': '' }];

/** Alters a config everywhere in it: each field left out, an unknown one added, each value made another one. */
export function* alteredConfigs(config: unknown): Generator<AlteredConfig> {
  for (const path of pathsIn(config)) {
    const at = `/${path.join('/')}`;
    const value = valueAt(config, path);
    if (isRecord(value)) {
      yield { change: `${at} has no_such_field`, config: replaced(config, path, { ...value, no_such_field: 1 }) };
      for (const name of Object.keys(value)) {
        const { [name]: _left, ...rest } = value;
        yield { change: `${at} is without ${name}`, config: replaced(config, path, rest) };
      }
    }
    for (const strange of STRANGE_VALUES) {
      yield { change: `${at} is ${JSON.stringify(strange)}`, config: replaced(config, path, strange) };
    }
  }
}

/** A value of a JSON type that a field does not take; nothing for one that takes any. */
export function valueOfAnotherType(field: JsonSchema): unknown {
  const taken = new Set([...typesOf(field)]);
  if (taken.size === 0) return undefined;
  return Object.entries({ object: {}, array: [], string: 'x', boolean: true, number: 0.5 }).find(
    ([type]) => !taken.has(type),
  )?.[1];
}

function* typesOf(schema: JsonSchema): Generator<string> {
  if (typeof schema['type'] === 'string') yield schema['type'] === 'integer' ? 'number' : schema['type'];
  if (Array.isArray(schema['enum'])) for (const value of schema['enum'] as unknown[]) yield typeof value;
  if (Array.isArray(schema['anyOf'])) for (const branch of schema['anyOf'] as JsonSchema[]) yield* typesOf(branch);
}

type Path = readonly (string | number)[];

function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  yield path;
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* pathsIn(item, [...path, index]);
  else if (isRecord(value)) for (const [name, item] of Object.entries(value)) yield* pathsIn(item, [...path, name]);
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown>)[step], value);
}

function replaced(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? replaced(item, rest, by) : item));
  const fields = value as Record<string, unknown>;
  return { ...fields, [step]: replaced(fields[step], rest, by) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
