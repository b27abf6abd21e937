import * as v from 'valibot';

/** Characters of the name of a model, a provider or a group. */
export const NAME_LENGTH_MAX = 256;

/** Targets, patterns or hints in one list. */
export const LIST_ITEMS_MAX = 256;

/** Characters of one hint or keyword. */
const HINT_LENGTH_MAX = 1000;

/** Of a record's ID. */
const ID_PATTERN = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,128}$/;

/**
 * Text of bounded length, counted in characters as JSON Schema does; the library's own actions count UTF-16 units.
 * @param description of the field, for forms
 */
export function boundedText(description: string, lengthMax: number): v.GenericSchema<string> {
  const isShortEnough = (given: string): boolean =>
    given.length <= lengthMax || (given.length <= 2 * lengthMax && Array.from(given).length <= lengthMax);
  return v.pipe(
    v.string('must be text'),
    v.check((given) => given !== '', 'must not be empty'),
    v.check(isShortEnough, `must have at most ${lengthMax} characters`),
    v.metadata({ minLength: 1, maxLength: lengthMax }),
    v.description(description),
  );
}

/** The name of a model, a provider or a group. */
export function nameField(description: string): v.GenericSchema<string> {
  return v.pipe(
    boundedText(description, NAME_LENGTH_MAX),
    v.check(hasNoControlCharacters, 'must not contain control characters'),
  );
}

/** See `matchesModel`. */
export function modelPatternField(description: string): v.GenericSchema<string> {
  return v.pipe(
    nameField(description),
    v.check((given) => !given.slice(0, -1).includes('*'), 'may hold a * only as its last character'),
  );
}

/** Some model patterns. */
export function modelPatternsField(description: string): v.GenericSchema<string[]> {
  return v.pipe(
    v.array(modelPatternField('Exact, *, or a beginning with * after it'), 'must be a list of model patterns'),
    v.maxLength(LIST_ITEMS_MAX, `must have at most ${LIST_ITEMS_MAX} items`),
    v.description(description),
  );
}

/** The ID of a record. */
export function recordIdField(description: string): v.GenericSchema<string> {
  return v.pipe(
    v.string('must be text'),
    v.regex(ID_PATTERN, 'must be 1 to 128 of A-Z a-z 0-9 . _ ~ - and not only one or two dots'),
    v.description(description),
  );
}

/** A number; both bounds are within. */
export function numberField(description: string, min: number, max: number): v.GenericSchema<number> {
  return v.pipe(
    v.number('must be a number'),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
    v.description(description),
  );
}

/** A whole number; both bounds are within. */
export function wholeNumberField(
  description: string,
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
): v.GenericSchema<number> {
  return v.pipe(
    v.number('must be a number'),
    v.integer('must be a whole number'),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
    v.description(description),
  );
}

/** One text that prompts are compared with, or a list of them. */
export function hintsField(description: string): v.GenericSchema<string | string[]> {
  const hint = (): v.GenericSchema<string> => boundedText('Text', HINT_LENGTH_MAX);
  return v.pipe(
    v.union(
      [hint(), v.pipe(v.array(hint()), v.maxLength(LIST_ITEMS_MAX, `must have at most ${LIST_ITEMS_MAX} items`))],
      'must be text or a list of texts',
    ),
    v.description(description),
  );
}

/** What an object of some fields is. */
export type ObjectOf<Entries extends v.ObjectEntries> = v.GenericSchema<
  v.InferInput<v.StrictObjectSchema<Entries, undefined>>,
  v.InferOutput<v.StrictObjectSchema<Entries, undefined>>
>;

/** Makes an object's schema of its fields: {@link strictObject}, {@link looseObject}. */
export type ObjectMaker = <Entries extends v.ObjectEntries>(entries: Entries) => ObjectOf<Entries>;

/** An object in which fields that are not known are mistakes. */
export function strictObject<Entries extends v.ObjectEntries>(entries: Entries): ObjectOf<Entries> {
  return v.strictObject(entries, ({ expected }) =>
    expected === 'never' ? 'is no field here' : objectMessage(expected),
  );
}

/** An object in which they are left out. */
export function looseObject<Entries extends v.ObjectEntries>(entries: Entries): ObjectOf<Entries> {
  return v.object(entries, ({ expected }) => objectMessage(expected));
}

function objectMessage(expected: string | null): string {
  return expected === 'Object' ? 'must be an object' : 'is required';
}

function hasNoControlCharacters(given: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return !/[\u0000-\u001F\u007F]/.test(given);
}
