import * as v from 'valibot';

/** Characters of an address. */
const URL_LENGTH_MAX = 2048;

/** Characters of a secret: temporary tokens of clouds have up to two thousand. */
const SECRET_LENGTH_MAX = 8192;

/** Marks what is masked in reads and sealed in stores. */
const SECRET = { 'x-secret': true } as const;

/** A secret that nobody should see while it is typed. */
const HIDDEN = { ...SECRET, format: 'password' } as const;

/** Marks what decides where secrets are sent. */
const ADDRESS = { 'x-address': true } as const;

/** What every field says of itself, for forms. */
export interface FieldWords {
  readonly title: string;
  readonly description: string;
}

/** Where a system is: http or https, without user, query and fragment. A path stays; what drivers ask for is below it. */
export function addressField({ title, description }: FieldWords): v.GenericSchema<string> {
  return v.pipe(
    v.string('must be text'),
    v.maxLength(URL_LENGTH_MAX, `must have at most ${URL_LENGTH_MAX} characters`),
    v.check(isBaseUrl, 'must be an address: http or https, without user, password, query and fragment'),
    v.metadata({ ...ADDRESS, format: 'uri' }),
    v.title(title),
    v.description(description),
  );
}

/** Text of a pattern. @param mustBe what the message says the text has to be */
export function patternField(
  pattern: RegExp,
  mustBe: string,
  words: FieldWords & { readonly isAddress?: boolean },
): v.GenericSchema<string> {
  return v.pipe(
    v.string('must be text'),
    v.regex(pattern, `must be ${mustBe}`),
    v.metadata(words.isAddress === true ? ADDRESS : {}),
    v.title(words.title),
    v.description(words.description),
  );
}

/** One of some words. */
export function choiceField<const Choice extends string>(
  choices: readonly Choice[],
  words: FieldWords & { readonly isAddress?: boolean },
): v.GenericSchema<Choice> {
  return v.pipe(
    v.picklist(choices, `must be one of ${choices.join(', ')}`),
    v.metadata(words.isAddress === true ? ADDRESS : {}),
    v.title(words.title),
    v.description(words.description),
  );
}

/** A whole number; both bounds are within. */
export function wholeNumberField(
  min: number,
  max: number,
  { title, description }: FieldWords,
): v.GenericSchema<number> {
  const message = `must be a whole number from ${min} to ${max}`;
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(min, message),
    v.maxValue(max, message),
    v.title(title),
    v.description(description),
  );
}

/** A secret that is sent in a header as it is. */
export function headerSecretField({ title, description }: FieldWords): v.GenericSchema<string> {
  return v.pipe(
    v.string('must be text'),
    v.maxLength(SECRET_LENGTH_MAX, `must have at most ${SECRET_LENGTH_MAX} characters`),
    v.regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces, at least one'),
    v.metadata(HIDDEN),
    v.title(title),
    v.description(description),
  );
}

/** User name of Basic authentication. Source: RFC 7617, section 2: no colon, no control characters. */
export function usernameField(words: FieldWords): v.GenericSchema<string> {
  return basicField(/^[^:\p{Cc}]+$/u, 'must not be empty, and have no colon and no control characters', SECRET, words);
}

/** Password of Basic authentication. */
export function passwordField(words: FieldWords): v.GenericSchema<string> {
  return basicField(/^\P{Cc}+$/u, 'must not be empty, and have no control characters', HIDDEN, words);
}

/** The pattern is a check, because JSON Schema has no patterns with flags. */
function basicField(
  pattern: RegExp,
  message: string,
  metadata: typeof SECRET | typeof HIDDEN,
  { title, description }: FieldWords,
): v.GenericSchema<string> {
  return v.pipe(
    v.string('must be text'),
    v.maxLength(SECRET_LENGTH_MAX, `must have at most ${SECRET_LENGTH_MAX} characters`),
    v.check((given) => pattern.test(given), message),
    v.metadata({ ...metadata, minLength: 1 }),
    v.title(title),
    v.description(description),
  );
}

/** What is said of a field that a driver does not have. */
export const UNKNOWN_FIELD = 'is no field of this driver';

/** What is said of a list, and of all else that has no fields. */
export const NO_OBJECT = 'must be an object';

/** What a `strictObject` says of fields that are missing or unknown. */
export function objectMistake(issue: v.StrictObjectIssue): string {
  if (issue.expected === 'never') return UNKNOWN_FIELD;
  return issue.expected === 'Object' ? NO_OBJECT : 'is required';
}

/** Whether a text is an address as {@link addressField} wants it. */
export function isBaseUrl(given: string): boolean {
  if (!/^https?:\/\//i.test(given) || /[\s\\?#\p{Cc}]/u.test(given) || !URL.canParse(given)) return false;
  const { username, password, hostname } = new URL(given);
  return username === '' && password === '' && hostname !== '' && !/^https?:\/\/[^/]*@/i.test(given);
}
