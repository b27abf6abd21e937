import * as v from 'valibot';
import { ENTRIES_MAX, configObject, headerName, text, wholeNumber } from '../shared/config-fields.ts';

/** Config of `request_termination`. */
export const config = configObject({
  header_equals: v.pipe(
    v.record(
      headerName('Request header'),
      text('The value it must have', 4096, 0),
      'must be a map from header name to value',
    ),
    v.minEntries(1, 'must not be empty'),
    v.maxEntries(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
    v.description('Header names and the values that end a request; all must be equal'),
  ),
  status_code: v.optional(wholeNumber('Status of the answer', 200, 599), 403),
  message: v.optional(text('What the answer says', 1024), 'this request is not allowed'),
});

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
