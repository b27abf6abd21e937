import * as v from 'valibot';
import { BODY_BYTES_CEILING } from '../bodies/body-fields.ts';
import { wholeNumber } from '../config-fields.ts';

/** Bytes of answers where a config says nothing: a stream has about thirty for each character that a model wrote. */
export const ANSWER_BYTES_DEFAULT = 8_388_608;

/** The field `max_body_bytes` of plugins that hold answers of models. */
export function answerBytes(description: string) {
  return v.optional(wholeNumber(description, 1, BODY_BYTES_CEILING), ANSWER_BYTES_DEFAULT);
}
