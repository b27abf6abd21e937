import * as v from 'valibot';
import { maxBodyBytes } from '../shared/bodies/body-fields.ts';
import { configObject, headerNames } from '../shared/config-fields.ts';
import { requireOneOf } from '../shared/config-rules.ts';
import { headerPairs, renamePairs } from '../shared/header-pairs.ts';
import { jsonFieldNames, jsonFields } from '../shared/json-field-maps.ts';

/** Config of `response_transformer`. */
export const config = requireOneOf(
  configObject({
    remove_headers: v.optional(headerNames('Response headers that are removed')),
    rename_headers: v.optional(renamePairs('Response headers that get another name, and replace what had that name')),
    set_headers: v.optional(headerPairs('Response headers that get this value, whatever was there')),
    headers: v.optional(headerPairs('Another name of set_headers, which wins where both name a header')),
    add_headers: v.optional(
      headerPairs('Response headers that get this value where they are missing; what exists is kept'),
    ),
    remove_json_fields: v.optional(jsonFieldNames('Top-level fields of a JSON body that are removed')),
    replace_json_fields: v.optional(jsonFields('Top-level fields that get this value where they exist')),
    add_json_fields: v.optional(jsonFields('Top-level fields that get this value where they are missing')),
    max_body_bytes: maxBodyBytes('Longest body that is changed, in bytes, as sent and decoded'),
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
