import type * as v from 'valibot';

/** Where a value stands in a config. */
export type ConfigPath = readonly (string | number)[];

/** The parts of valibot's schemas that hold other schemas, and the rules of a pipe. A pipe has what its first part has. */
export interface SchemaParts {
  readonly type: string;
  readonly wrapped?: v.GenericSchema;
  readonly item?: v.GenericSchema;
  readonly value?: v.GenericSchema;
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly options?: readonly v.GenericSchema[];
  readonly pipe?: readonly SchemaRule[];
}

/** A rule of a pipe. */
export interface SchemaRule {
  readonly type: string;
  readonly requirement?: unknown;
  readonly message?: unknown;
}

/** See {@link SchemaParts}. */
export function partsOf(schema: v.GenericSchema): SchemaParts {
  return schema;
}

/** What a list, map or object holds, each value with its schema and place. Nothing where the schema is of another kind, or a union. */
export function* heldIn(
  schema: v.GenericSchema,
  given: unknown,
  path: ConfigPath,
): Generator<readonly [v.GenericSchema, unknown, ConfigPath]> {
  if (typeof given !== 'object' || given === null) return;
  const { item, value, entries } = partsOf(schema);
  if (Array.isArray(given)) {
    if (item !== undefined) for (const [index, one] of given.entries()) yield [item, one, [...path, index]];
    return;
  }
  for (const [name, one] of Object.entries(given)) {
    const inner = value ?? (entries !== undefined && Object.hasOwn(entries, name) ? entries[name] : undefined);
    if (inner !== undefined) yield [inner, one, [...path, name]];
  }
}
