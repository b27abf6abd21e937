import * as v from 'valibot';
import { ENTRIES_MAX, text } from './config-fields.ts';

/** Longest JSON text of all values of one map or list of a config, in characters. */
export const JSON_VALUES_LENGTH_MAX = 65_536;

const fieldName = text('Top-level field', 256);

/** Whether values are short enough as JSON, all together. */
export function isOfFairLength(values: unknown): boolean {
  return JSON.stringify(values).length <= JSON_VALUES_LENGTH_MAX;
}

export const TOO_LONG_VALUES: string = `must have at most ${JSON_VALUES_LENGTH_MAX} characters as JSON`;

/** A map from top-level field to JSON value, at least one and of bounded size. */
export function jsonFields(description: string) {
  return v.pipe(
    v.record(fieldName, v.unknown(), 'must be a map from field name to JSON value'),
    v.minEntries(1, 'must not be empty'),
    v.maxEntries(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
    v.check((fields) => isOfFairLength(fields), TOO_LONG_VALUES),
    v.description(description),
  );
}

/** A list of names of top-level fields. */
export function jsonFieldNames(description: string) {
  return v.pipe(
    v.array(fieldName, 'must be a list of field names'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
    v.description(description),
  );
}
