import * as v from 'valibot';
import { ENTRIES_MAX, configObject, headerName, text, wholeNumber } from '../shared/config-fields.ts';
import { redirectStatuses } from '../redirect/config.ts';
import { crossFieldRule, type CrossFieldIssue } from '../shared/config-rules.ts';

/** A value as it arrives: without a control character, and without spaces around it, which are not part of it. Source: RFC 9110, 5.5. */
const headerValue = v.pipe(
  text('The value it must have', 4096, 0),
  v.regex(
    /^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/,
    'must be a header value: no control character, no space around it, one byte a character',
  ),
);

const number = v.pipe(
  v.number(),
  v.minValue(Number.MIN_SAFE_INTEGER),
  v.maxValue(Number.MAX_SAFE_INTEGER),
  v.description('A number, as JSON writes it'),
);

/** In YAML `1.0`, `7` and `true` are no text; what they are written as is what a header has. */
const scalar = v.union(
  [headerValue, number, v.pipe(v.boolean(), v.description('true or false'))],
  'must be text, a number, true or false',
);

const alternatives = v.pipe(
  v.array(scalar),
  v.minLength(1, 'must not be empty'),
  v.maxLength(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
  v.description('Values of which one is enough'),
);

const fields = configObject({
  header_equals: v.pipe(
    v.record(
      headerName('Request header'),
      v.union([scalar, alternatives], 'must be a value, or a list of values'),
      'must be a map from header name to value',
    ),
    v.minEntries(1, 'must not be empty'),
    v.maxEntries(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
    v.description('Header names and the value, or list of values, that ends a request; all headers must match'),
  ),
  status_code: v.optional(wholeNumber('Status of the answer', 200, 599), 403),
  message: v.optional(text('What the answer says', 1024), 'this request is not allowed'),
});

/** Statuses that send a client elsewhere, which a `Location` would have to name. */
const redirections: ReadonlySet<number> = new Set(redirectStatuses);

/** Config of `request_termination`. Names that differ in case are one header, which cannot have two values. */
export const config = crossFieldRule(
  fields,
  ({ header_equals: wanted, status_code: status }): readonly CrossFieldIssue[] => {
    const names = Object.keys(wanted).map((name) => name.toLowerCase());
    const issues: CrossFieldIssue[] = [];
    if (new Set(names).size < names.length)
      issues.push({ field: 'header_equals', message: 'has a header twice, in letters of another case' });
    if (redirections.has(status))
      issues.push({ field: 'status_code', message: 'would send clients to no place: the plugin redirect names one' });
    return issues;
  },
);

/** See {@link config}. */
export type Config = v.InferOutput<typeof fields>;

/** The values that a header's entry asks for, as they stand in a request. */
export function valuesOf(entry: Config['header_equals'][string]): readonly string[] {
  return (Array.isArray(entry) ? entry : [entry]).map(String);
}
