import type { JsonObject } from './json-values.ts';

/**
 * Reads each place of a document once, however many others refer to it: what it costs to read a description is then bounded
 * by its text. What is wrong at a place is reported once, too.
 * @param read reads something of an object; equal places always come with the same object
 */
export function oncePerPlace<T>(
  read: (object: JsonObject, place: string) => T,
): (object: JsonObject, place: string) => T {
  const known = new Map<string, { readonly value: T }>();
  return (object, place) => {
    const before = known.get(place);
    if (before) return before.value;
    const value = read(object, place);
    known.set(place, { value });
    return value;
  };
}
