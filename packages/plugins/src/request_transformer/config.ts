import * as v from 'valibot';
import { ENTRIES_MAX, configObject, headerMap, headerNames, renameMap, text } from '../shared/config-fields.ts';
import { requireOneOf } from '../shared/config-rules.ts';

/** Longest JSON text of all values of one map of a config, in characters. */
export const JSON_FIELDS_LENGTH_MAX = 65_536;

const fieldName = text('Top-level field', 256);

function jsonFields(description: string) {
  return v.pipe(
    v.record(fieldName, v.unknown(), 'must be a map from field name to JSON value'),
    v.minEntries(1, 'must not be empty'),
    v.maxEntries(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
    v.check(
      (fields) => JSON.stringify(fields).length <= JSON_FIELDS_LENGTH_MAX,
      `must have at most ${JSON_FIELDS_LENGTH_MAX} characters as JSON`,
    ),
    v.description(description),
  );
}

/** Config of `request_transformer`. */
export const config = requireOneOf(
  configObject({
    remove_headers: v.optional(headerNames('Request headers that are removed')),
    rename_headers: v.optional(renameMap('Request headers that get another name, and replace what had that name')),
    set_headers: v.optional(headerMap('Request headers that get this value, whatever was there')),
    headers: v.optional(headerMap('Another name of set_headers, which wins where both name a header')),
    add_headers: v.optional(
      headerMap('Request headers that get this value where they are missing; what exists is kept'),
    ),
    remove_json_fields: v.optional(
      v.pipe(
        v.array(fieldName, 'must be a list of field names'),
        v.minLength(1, 'must not be empty'),
        v.maxLength(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
        v.description('Top-level fields of a JSON body that are removed'),
      ),
    ),
    replace_json_fields: v.optional(jsonFields('Top-level fields that get this value where they exist')),
    add_json_fields: v.optional(jsonFields('Top-level fields that get this value where they are missing')),
  }),
  [
    'add_headers',
    'add_json_fields',
    'headers',
    'remove_headers',
    'remove_json_fields',
    'rename_headers',
    'replace_json_fields',
    'set_headers',
  ],
);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
