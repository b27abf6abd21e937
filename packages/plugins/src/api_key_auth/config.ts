import * as v from 'valibot';
import { configObject, headerName, text } from '../shared/config-fields.ts';

/** Longest key that is accepted, in characters. */
export const KEY_LENGTH_MAX = 512;

/** Most keys of one instance. Keys of many clients belong into consumer credentials. */
export const KEYS_MAX = 10_000;

const key = v.pipe(text('A key that clients may present', KEY_LENGTH_MAX), v.metadata({ 'x-secret': true }));

const namedKey = configObject({
  key,
  consumer: text('ID, username or custom ID of the consumer that the key identifies', 256),
});

/** Config of `api_key_auth`. */
export const config = configObject({
  header_name: v.optional(headerName('Request header that carries the key'), 'X-API-Key'),
  valid_keys: v.pipe(
    v.array(v.union([key, namedKey], 'must be a key, or an object with key and consumer'), 'must be a list'),
    v.maxLength(KEYS_MAX, `must have at most ${KEYS_MAX} entries`),
    v.description("Keys accepted beside the tenant's consumer credentials; an object names the consumer. May be empty"),
  ),
});

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
