/**
 * The value below which a share of the values lies: the smallest one that at least that share does not exceed.
 * @param values in any order; left as they are
 * @param share above 0, at most 1
 * @returns `undefined` for no values
 */
export function quantile(values: Iterable<number>, share: number): number | undefined {
  const ordered = Float64Array.from(values).sort();
  return ordered[Math.max(0, Math.ceil(ordered.length * share) - 1)];
}

/**
 * The middle value, or the mean of the two middle ones.
 * @throws RangeError for no values: a median of nothing is a mistake in the scenario
 */
export function median(values: readonly number[]): number {
  const ordered = Float64Array.from(values).sort();
  const upper = ordered[Math.floor(ordered.length / 2)];
  const lower = ordered[Math.ceil(ordered.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('the median of no values');
  return (lower + upper) / 2;
}
