import type { StandardIssue } from '@portcullis/plugin-runtime';
import type * as v from 'valibot';

/**
 * Lists that stand where a config has an object or a map. Valibot takes a list for an object, and turns it into a map with
 * numbers for names: JSON Schema, and whoever reads it, does not. Unions are left to their branches.
 */
export function listsForObjects(schema: v.GenericSchema, config: unknown): readonly StandardIssue[] {
  return [...listsIn(schema, config, [])];
}

type Path = readonly (string | number)[];

/** The parts of valibot's schemas that hold other schemas. */
interface Parts {
  readonly type: string;
  readonly wrapped?: v.GenericSchema;
  readonly item?: v.GenericSchema;
  readonly value?: v.GenericSchema;
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
}

function* listsIn(schema: v.GenericSchema, value: unknown, path: Path): Generator<StandardIssue> {
  // A pipe has what its first part has.
  const { type, wrapped, item, value: every, entries } = schema as unknown as Parts;
  if (wrapped !== undefined) yield* listsIn(wrapped, value, path);
  else if (Array.isArray(value)) {
    if (type === 'array' && item !== undefined) {
      for (const [index, one] of value.entries()) yield* listsIn(item, one, [...path, index]);
    } else if (type === 'record' || entries !== undefined) yield { message: 'must be an object, not a list', path };
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      const inner = every ?? (entries !== undefined && Object.hasOwn(entries, name) ? entries[name] : undefined);
      if (inner !== undefined) yield* listsIn(inner, one, [...path, name]);
    }
  }
}
