/** A sparse counter: `[[key, count], …]`, as it is stored and sent. */
export type CounterPairs = readonly (readonly [number, number])[];

/** The counts of a stored counter by key. */
export function parsePairs(text: string): Map<number, number> {
  return new Map(JSON.parse(text) as [number, number][]);
}

const [minus, comma, zero, nine] = [45, 44, 48, 57];

/** Reads a stored counter without making anything of it. */
export function visitPairs(text: string, visit: (key: number, count: number) => void): void {
  let [key, value, sign, digits] = [0, 0, 1, 0];
  let isKey = true;
  for (let at = 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= zero && code <= nine) {
      value = value * 10 + code - zero;
      digits += 1;
    } else if (code === minus) sign = -1;
    else if (digits > 0) {
      // The end of a number: a comma after a key, a bracket after a count.
      if (isKey) key = sign * value;
      else visit(key, sign * value);
      isKey = code !== comma;
      [value, sign, digits] = [0, 1, 0];
    }
  }
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
