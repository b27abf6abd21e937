import type * as v from 'valibot';
import { configObject } from '../shared/config-fields.ts';
import { requireOneOf } from '../shared/config-rules.ts';
import { TRANSFORMER_FIELDS, transformerFields } from '../shared/transformer-fields.ts';

/** Config of `request_transformer`. */
export const config = requireOneOf(configObject(transformerFields('Request')), TRANSFORMER_FIELDS);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
