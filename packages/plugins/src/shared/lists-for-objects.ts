import type { StandardIssue } from '@portcullis/plugin-runtime';
import type * as v from 'valibot';
import { heldIn, partsOf, type ConfigPath } from './schema-parts.ts';

/**
 * Lists that stand where a config has an object or a map. Valibot takes a list for an object, and turns it into a map with
 * numbers for names: JSON Schema, and whoever reads it, does not. Unions are left to their branches.
 */
export function listsForObjects(schema: v.GenericSchema, config: unknown): readonly StandardIssue[] {
  return [...listsIn(schema, config, [])];
}

function* listsIn(schema: v.GenericSchema, given: unknown, path: ConfigPath): Generator<StandardIssue> {
  const { type, wrapped, entries } = partsOf(schema);
  if (wrapped !== undefined) yield* listsIn(wrapped, given, path);
  else if (Array.isArray(given) && (type === 'record' || entries !== undefined)) {
    yield { message: 'must be an object, not a list', path };
  } else for (const held of heldIn(schema, given, path)) yield* listsIn(...held);
}
