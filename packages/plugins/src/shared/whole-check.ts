import type { StandardIssue, StandardSchemaV1 } from '@portcullis/plugin-runtime';
import * as v from 'valibot';
import { listsForObjects } from './lists-for-objects.ts';
import { tooManyEntries } from './too-many-entries.ts';

/**
 * A config schema whose mistakes are complete. Valibot stops at the first unknown field of an object, leaves out of a map,
 * without a word, the names that every object has, and takes a list for an object: each would be a field that is accepted and does
 * nothing.
 */
export function wholeCheck<Schema extends v.GenericSchema>(
  schema: Schema,
): StandardSchemaV1<unknown, v.InferOutput<Schema>> {
  const validate = (config: unknown) => {
    const long = tooManyEntries(schema, config);
    if (long.length > 0) return { issues: long };
    const parsed = v.safeParse(schema, config);
    // JSON has no maps, whose keys may be anything.
    const known = (parsed.issues ?? []) as readonly StandardIssue[];
    const issues = [
      ...known,
      ...unknownFields(schema, config, known),
      ...lostNames(config),
      ...listsForObjects(schema, config),
    ];
    return issues.length > 0 || !parsed.success ? { issues } : { value: parsed.output };
  };
  return { '~standard': { version: 1, vendor: 'valibot', validate } };
}

/** Names that valibot drops from maps. */
const DROPPED = ['__proto__', 'constructor', 'prototype'];

function unknownFields(schema: v.GenericSchema, config: unknown, known: readonly StandardIssue[]): StandardIssue[] {
  if (!isObject(config) || !('entries' in schema) || !isObject(schema.entries)) return [];
  const { entries } = schema;
  const said = known.find(({ path }) => path?.length === 1 && !Object.hasOwn(entries, keyOf(path[0])));
  if (said === undefined) return [];
  const [saidAt] = said.path ?? [];
  return Object.keys(config)
    .filter((name) => !Object.hasOwn(entries, name) && name !== keyOf(saidAt))
    .map((name) => ({ ...said, path: [name] }));
}

/** Maps stand at the top of a config; what is deeper is JSON that goes on as it is. */
function lostNames(config: unknown): StandardIssue[] {
  if (!isObject(config)) return [];
  return Object.entries(config).flatMap(([field, map]) =>
    isObject(map) && !Array.isArray(map)
      ? DROPPED.filter((name) => Object.hasOwn(map, name)).map((name) => ({
          message: 'is a name that no entry can have',
          path: [field, name],
        }))
      : [],
  );
}

function keyOf(step: unknown): string {
  return String(isObject(step) ? step['key'] : step);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
