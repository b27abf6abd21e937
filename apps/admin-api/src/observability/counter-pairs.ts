/** A sparse counter: `[[key, count], …]`, as it is stored and sent. */
export type CounterPairs = readonly (readonly [number, number])[];

/** The counts of a stored counter by key. */
export function parsePairs(text: string): Map<number, number> {
  return new Map(JSON.parse(text) as [number, number][]);
}

/** Counts as they are stored: by key, ascending. */
export function pairsText(counts: ReadonlyMap<number, number>): string {
  return JSON.stringify([...counts].toSorted(([left], [right]) => left - right));
}

/**
 * Adds counts to a counter in place.
 * @param keysMax a counter that has as many keys takes no further ones
 */
export function addTo(
  counts: Map<number, number>,
  added: Iterable<readonly [number, number]>,
  keysMax: number = Number.POSITIVE_INFINITY,
): void {
  for (const [key, count] of added) {
    const before = counts.get(key);
    if (before !== undefined || counts.size < keysMax) counts.set(key, saturatedSum(before ?? 0, count));
  }
}

/** A sum that stays an exact integer: it ends at 2^53 − 1, the most that both databases give back. */
export function saturatedSum(left: number, right: number): number {
  return Math.min(left + right, Number.MAX_SAFE_INTEGER);
}
