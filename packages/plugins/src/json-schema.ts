import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

/** A JSON Schema (2020-12). */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * The JSON Schema of what a caller may send as a config. Checks between fields have no place in it, apart from required
 * alternatives, which carry their `anyOf` along.
 * @throws Error for a schema that JSON Schema cannot express
 */
export function toConfigJsonSchema(schema: v.GenericSchema): JsonSchema {
  const converted = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'throw',
    ignoreActions: ['check', 'raw_check'],
  });
  return { ...converted };
}
