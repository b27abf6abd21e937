import * as v from 'valibot';
import { ENTRIES_MAX, configObject, headerName, text, wholeNumber } from '../shared/config-fields.ts';
import { crossFieldRule } from '../shared/config-rules.ts';

/** A value as it arrives: without a control character, and without spaces around it, which are not part of it. Source: RFC 9110, 5.5. */
const headerValue = v.pipe(
  text('The value it must have', 4096, 0),
  v.regex(
    /^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/,
    'must be a header value: no control character, no space around it, one byte a character',
  ),
);

const fields = configObject({
  header_equals: v.pipe(
    v.record(headerName('Request header'), headerValue, 'must be a map from header name to value'),
    v.minEntries(1, 'must not be empty'),
    v.maxEntries(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
    v.description('Header names and the values that end a request; all must be equal'),
  ),
  status_code: v.optional(wholeNumber('Status of the answer', 200, 599), 403),
  message: v.optional(text('What the answer says', 1024), 'this request is not allowed'),
});

/** Config of `request_termination`. Names that differ in case are one header, which cannot have two values. */
export const config = crossFieldRule(fields, ({ header_equals: wanted }) => {
  const names = Object.keys(wanted).map((name) => name.toLowerCase());
  return new Set(names).size === names.length
    ? []
    : [{ field: 'header_equals', message: 'has a header twice, in letters of another case' }];
});

/** See {@link config}. */
export type Config = v.InferOutput<typeof fields>;
