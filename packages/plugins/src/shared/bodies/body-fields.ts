import * as v from 'valibot';
import { ENTRIES_MAX, choice, wholeNumber } from '../config-fields.ts';
import { CONTENT_TYPE_PATTERN } from './content-types.ts';

/** Bytes of bodies that are read where a config says nothing. */
export const BODY_BYTES_DEFAULT = 1_048_576;

/** Most bytes of bodies that a config may have read. Each such body is in memory, several times over while it is changed. */
export const BODY_BYTES_CEILING = 16_777_216;

/** Longest content type of a config, in characters. Source: RFC 6838, 4.2. */
const CONTENT_TYPE_LENGTH_MAX = 255;

/** The field `max_body_bytes`: how much of a body is read. */
export function maxBodyBytes(description: string) {
  return v.optional(wholeNumber(description, 1, BODY_BYTES_CEILING), BODY_BYTES_DEFAULT);
}

const contentType = v.pipe(
  v.string('must be a content type'),
  v.maxLength(CONTENT_TYPE_LENGTH_MAX, `must have at most ${CONTENT_TYPE_LENGTH_MAX} characters`),
  v.regex(CONTENT_TYPE_PATTERN, 'must be a content type such as application/json, text/*, */* or +json'),
  v.description('A content type without parameters, text/* for all of a kind, +json for all of a syntax'),
);

/** The field `content_types`: what a plugin is for. Compile it with `contentTypeMatcher`. */
export function contentTypes(description: string, defaults: readonly string[]) {
  return v.optional(
    v.pipe(
      v.array(contentType, 'must be a list of content types'),
      v.minLength(1, 'must not be empty'),
      v.maxLength(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
      v.description(description),
    ),
    [...defaults],
  );
}

/** The field `target`: which messages a plugin of both stages changes. */
export function target(description: string) {
  return choice(description, ['request', 'response', 'both']);
}
