import * as v from 'valibot';
import { configObject } from '../shared/config-fields.ts';
import { requireOneOf } from '../shared/config-rules.ts';
import { jsonFieldNames, jsonFields } from '../shared/json-field-maps.ts';

/** Config of `body_transformer`. */
export const config = requireOneOf(
  configObject({
    remove_fields: v.optional(jsonFieldNames('Top-level fields that are removed')),
    override_fields: v.optional(jsonFields('Top-level fields that get this value, whether they are there or not')),
    add_fields: v.optional(jsonFields('Top-level fields that get this value where they are missing')),
  }),
  ['add_fields', 'override_fields', 'remove_fields'],
);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
