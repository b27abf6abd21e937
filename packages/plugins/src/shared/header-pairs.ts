import * as v from 'valibot';
import { ENTRIES_MAX, HEADER_NAME_LENGTH_MAX, HEADER_VALUE_LENGTH_MAX, headerMap, renameMap } from './config-fields.ts';

/** Headers and what becomes of them: a map, or a list of `name: value`. */
export type HeaderPairs = Readonly<Record<string, string>> | readonly string[];

/** Headers with a value each: a map, or a list of `name: value` as other gateways have it. */
export function headerPairs(description: string) {
  const map = noList(headerMap(description));
  const list = lines('must be name: value', (pair) => v.is(map, pair));
  return v.pipe(
    v.union([list, map], 'must be a map from header name to value, or a list of name: value'),
    v.description(description),
  );
}

/** Headers with a new name each: a map, or a list of `name: new name`. */
export function renamePairs(description: string) {
  const map = noList(renameMap(description));
  const list = lines('must be name: new name', (pair) => v.is(map, pair));
  return v.pipe(
    v.union([list, map], 'must be a map from header name to new name, or a list of name: new name'),
    v.description(description),
  );
}

/** Pairs as a map. In a list the last line of a name counts. */
export function pairsAsMap(pairs: HeaderPairs | undefined): Readonly<Record<string, string>> {
  return isList(pairs) ? Object.fromEntries(pairs.map(pairOf)) : (pairs ?? {});
}

/** The library takes a list for a map from its indexes, and no header is called so. */
function noList(map: v.GenericSchema<Readonly<Record<string, string>>>) {
  return v.pipe(
    map,
    v.check((given) => Object.keys(given).some((name, at) => name !== String(at)), 'must be a map'),
  );
}

/** A map is what says what names and values may be. */
function lines(message: string, isPair: (pair: Readonly<Record<string, string>>) => boolean) {
  const line = v.pipe(
    v.string(message),
    v.maxLength(LINE_LENGTH_MAX, `must have at most ${LINE_LENGTH_MAX} characters`),
    v.check((text) => isPair(Object.fromEntries([pairOf(text)])), `${message}, of a header that may be written`),
  );
  return v.pipe(
    v.array(line, 'must be a list'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
  );
}

/** A line without a colon has a name that no header may have. */
function pairOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return colon < 0 ? ['', ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

const LINE_LENGTH_MAX = HEADER_NAME_LENGTH_MAX + HEADER_VALUE_LENGTH_MAX + 2;

function isList(pairs: HeaderPairs | undefined): pairs is readonly string[] {
  return Array.isArray(pairs);
}
