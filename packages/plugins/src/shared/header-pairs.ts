import * as v from 'valibot';
import { ENTRIES_MAX, HEADER_NAME_LENGTH_MAX, HEADER_VALUE_LENGTH_MAX, headerMap, renameMap } from './config-fields.ts';

/** Headers and what becomes of them: a map, or a list of `name: value`. */
export type HeaderPairs = Readonly<Record<string, string>> | readonly string[];

/** Headers with a value each: a map, or a list of `name: value` as other gateways have it. */
export function headerPairs(description: string) {
  return pairs(headerMap(description), 'name: value', description);
}

/** Headers with a new name each: a map, or a list of `name: new name`, which are renamed in turn. */
export function renamePairs(description: string) {
  return v.pipe(
    pairs(renameMap(description), 'name: new name', description),
    v.check(
      (given) => Array.isArray(given) || !isChained(given as Readonly<Record<string, string>>),
      'has a new name that another entry gives another one: maps have no order, so write a list',
    ),
  );
}

/** Whether what a map does depends on which of its entries comes first: tools that write maps may sort them. */
function isChained(renames: Readonly<Record<string, string>>): boolean {
  const from = new Set(Object.keys(renames).map((name) => name.toLowerCase()));
  return Object.entries(renames).some(([name, to]) => {
    const other = to.toLowerCase();
    return other !== name.toLowerCase() && from.has(other);
  });
}

function pairs<Map extends v.GenericSchema<Readonly<Record<string, string>>>>(
  map: Map,
  form: string,
  description: string,
) {
  const message = `must be a map from header ${form.replace(': ', ' to ')}, or a list of ${form}, of headers that may be written`;
  return v.pipe(
    v.union([lines(form, map), map], message),
    // The library takes a list of anything for a map from its indexes, and no header is called so.
    v.check((given) => Array.isArray(given) || Object.keys(given).some((name, at) => name !== String(at)), message),
    v.description(description),
  );
}

/** Pairs as a map. In a list the last line of a name counts. */
export function pairsAsMap(pairs: HeaderPairs | undefined): Readonly<Record<string, string>> {
  return isList(pairs) ? Object.fromEntries(pairs.map(pairOf)) : (pairs ?? {});
}

/** The map is what says what names and values may be. */
function lines(form: string, map: v.GenericSchema<Readonly<Record<string, string>>>) {
  const line = v.pipe(
    v.string(`must be ${form}`),
    v.maxLength(LINE_LENGTH_MAX, `must have at most ${LINE_LENGTH_MAX} characters`),
    v.check(
      (text) => v.is(map, Object.fromEntries([pairOf(text)])),
      `must be ${form}, of a header that may be written`,
    ),
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
