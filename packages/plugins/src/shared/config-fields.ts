import * as v from 'valibot';

/** Longest header name and value that a config may hold, in characters. */
export const HEADER_NAME_LENGTH_MAX = 128;
export const HEADER_VALUE_LENGTH_MAX = 4096;

/** Most entries of a map or list of a config, where nothing else is said. */
export const ENTRIES_MAX = 100;

/** A config: unknown fields are refused. */
export function configObject<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.strictObject(entries, (issue) => {
    if (issue.expected === 'never') return 'is no field of this plugin';
    return issue.expected === 'Object' ? 'must be an object' : 'is required';
  });
}

/** Text of bounded length, counted in characters as JSON Schema does; the library's own actions count UTF-16 units. */
export function text(description: string, lengthMax: number, lengthMin = 1) {
  const isLongEnough = (given: string): boolean => given.length >= 2 * lengthMin || charactersOf(given) >= lengthMin;
  const isShortEnough = (given: string): boolean => given.length <= 2 * lengthMax && charactersOf(given) <= lengthMax;
  return v.pipe(
    v.string('must be text'),
    v.check(isLongEnough, `must have at least ${lengthMin} characters`),
    v.check(isShortEnough, `must have at most ${lengthMax} characters`),
    v.metadata({ minLength: lengthMin, maxLength: lengthMax }),
    v.description(description),
  );
}

function charactersOf(given: string): number {
  return Array.from(given).length;
}

/** A whole number in a range. */
export function wholeNumber(description: string, min: number, max: number) {
  return v.pipe(
    v.number('must be a number'),
    v.integer('must be a whole number'),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
    v.description(description),
  );
}

/** True or false. */
export function flag(description: string) {
  return v.pipe(v.boolean('must be true or false'), v.description(description));
}

/** One of a few words. */
export function choice<const Words extends readonly string[]>(description: string, words: Words) {
  return v.pipe(v.picklist(words, `must be one of ${words.join(', ')}`), v.description(description));
}

/** Name of a header that is only read. Source: RFC 9110, section 5.6.2. */
export function headerName(description: string) {
  return v.pipe(fieldName, v.description(description));
}

/** Name of a header that is written: none that only the gateway may set. */
export function writtenHeaderName(description: string) {
  return v.pipe(editableName, v.description(description));
}

/**
 * A map from header name to value, at least one and of bounded size.
 * @param value schema of the values, for those that are secrets
 */
export function headerMap(description: string, value: v.GenericSchema<string> = headerValue) {
  return v.pipe(
    v.record(editableName, value, 'must be a map from header name to value'),
    v.minEntries(1, 'must not be empty'),
    v.maxEntries(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
    v.description(description),
  );
}

/** A map from header name to new header name. */
export function renameMap(description: string) {
  return v.pipe(
    v.record(editableName, editableName, 'must be a map from header name to new name'),
    v.minEntries(1, 'must not be empty'),
    v.maxEntries(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
    v.description(description),
  );
}

/** A list of header names. */
export function headerNames(description: string) {
  return v.pipe(
    v.array(editableName, 'must be a list of header names'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
    v.description(description),
  );
}

const fieldName = v.pipe(
  v.string('must be a header name'),
  v.maxLength(HEADER_NAME_LENGTH_MAX, `must have at most ${HEADER_NAME_LENGTH_MAX} characters`),
  v.regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'must be a header name'),
);

/**
 * Fields that belong to one connection, or say how the message is framed or sent. Plugins never write them.
 * Source: RFC 9110, sections 7.6.1, 10.1.1 and 11.7.
 */
const FRAMING: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const editableName = v.pipe(
  fieldName,
  v.check((name) => !FRAMING.has(name.toLowerCase()), 'names a header that the gateway itself sets'),
);

/** A value that a header may have. */
export const headerValue = v.pipe(
  v.string('must be text'),
  v.maxLength(HEADER_VALUE_LENGTH_MAX, `must have at most ${HEADER_VALUE_LENGTH_MAX} characters`),
  v.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be a header value: no control character, one byte a character'),
);
