import type * as v from 'valibot';
import { maxBodyBytes } from '../shared/bodies/body-fields.ts';
import { configObject } from '../shared/config-fields.ts';
import { requireOneOf } from '../shared/config-rules.ts';
import { TRANSFORMER_FIELDS, transformerFields } from '../shared/transformer-fields.ts';

/** Config of `response_transformer`. */
export const config = requireOneOf(
  configObject({
    ...transformerFields('Response'),
    max_body_bytes: maxBodyBytes('Longest body that is changed, in bytes, as sent and decoded'),
  }),
  TRANSFORMER_FIELDS,
);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
