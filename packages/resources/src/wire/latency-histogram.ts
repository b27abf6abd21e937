const subBucketBits = 7;
const subBuckets = 2 ** subBucketBits;

/** Longer latencies are counted as one day, in microseconds. */
export const latencyUsMax = 86_400_000_000;

/** The largest bin number. */
export const latencyBinMax: number = latencyBin(latencyUsMax);

/**
 * The bin of a latency in a log-linear histogram: exact below 128 microseconds, then 128 bins an octave, so that a bin is
 * never wider than 0.79 % of its value. Source: reliability rules, SLO engine.
 * @param latencyUs whole microseconds, 0 or more; above one day they fall into the last bin
 */
export function latencyBin(latencyUs: number): number {
  if (latencyUs < subBuckets) return latencyUs;
  if (latencyUs > latencyUsMax) return latencyBinMax;
  const octave = Math.floor(Math.log2(latencyUs)) - subBucketBits;
  const position = Math.floor(latencyUs / 2 ** octave);
  // A value just below a power of two can round up in log2; it then belongs to the octave below.
  if (position < subBuckets) return octave * subBuckets + Math.floor(latencyUs / 2 ** (octave - 1));
  return (octave + 1) * subBuckets + (position - subBuckets);
}

/** The lowest latency in microseconds that falls into a bin. The bin after it begins where it ends. */
export function latencyBinStart(bin: number): number {
  if (bin < subBuckets) return bin;
  const octave = Math.floor(bin / subBuckets) - 1;
  return ((bin % subBuckets) + subBuckets) * 2 ** octave;
}

/**
 * The latency below which a share of the requests lies, from histogram counts: the middle of the bin that holds it.
 * @param counts bin → requests
 * @param share above 0, at most 1
 * @returns microseconds, or `undefined` for an empty histogram
 */
export function latencyQuantile(counts: ReadonlyMap<number, number>, share: number): number | undefined {
  const bins = [...counts].filter(([, count]) => count > 0).toSorted(([left], [right]) => left - right);
  const total = bins.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return undefined;
  const rank = Math.max(1, Math.ceil(total * share));
  let seen = 0;
  for (const [bin, count] of bins) {
    seen += count;
    if (seen >= rank) return (latencyBinStart(bin) + latencyBinStart(bin + 1) - 1) / 2;
  }
  return undefined;
}
