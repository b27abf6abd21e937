import { isRecord } from './keywords.ts';

/**
 * Whether no two items are equal as JSON. Linear in the list, where comparing all pairs would let a client's list of a mebibyte take minutes.
 * @param count is told how many characters were written to compare them
 */
export function isUnique(items: readonly unknown[], count: (characters: number) => void): boolean {
  const seen = new Set<unknown>();
  for (const item of items) {
    const key = keyOf(item);
    if (typeof key === 'string') count(key.length);
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}

/** Texts are marked, so that none is taken for what an object is written as. */
function keyOf(item: unknown): unknown {
  if (typeof item === 'string') return `"${item}`;
  return typeof item === 'object' && item !== null ? JSON.stringify(ordered(item)) : item;
}

/** The same value with the names of all objects in one order. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).toSorted(([first], [second]) => (first < second ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, ordered(inner)]));
}
