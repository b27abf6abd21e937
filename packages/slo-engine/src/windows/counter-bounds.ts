/** What one counter knows of slow requests. */
export interface LatencyCounts {
  /** All requests of the counter. */
  readonly requests: number;
  /** How many were longer than the threshold, counted when they came. `undefined` when none was compared with it. */
  readonly over?: number | undefined;
  /**
   * How many of the requests were compared with the threshold; all of them by default. A counter that several gateways add to
   * may have some of one that did not know the threshold yet.
   */
  readonly compared?: number | undefined;
  /** Bins and their requests, of a histogram of the same requests. Not read when all were compared. */
  readonly histogram?: Iterable<readonly [bin: number, count: number]> | undefined;
}

/** Which latencies fall into a bin, whole microseconds. `mostUs` is infinite for a bin that has no upper end. */
export type BinRange = (bin: number) => { readonly leastUs: number; readonly mostUs: number };

/** The least and the most requests of a counter that can be bad. */
export interface BadBounds {
  readonly least: number;
  readonly most: number;
}

/**
 * How many requests of a counter were longer than a threshold. It is exact when all were compared with it. Otherwise the
 * histogram bounds it: bins wholly above the threshold are in, the bin that holds it may be. Requests that neither knows may
 * be either. Source: reliability rules, SLO engine.
 * @param thresholdUs whole microseconds, as `latencyThresholdUs` gives them
 */
export function slowRequests(counts: LatencyCounts, thresholdUs: number, rangeOf: BinRange): BadBounds {
  const { requests, histogram = [] } = counts;
  const over = Math.min(counts.over ?? 0, requests);
  const compared = counts.over === undefined ? 0 : Math.min(counts.compared ?? requests, requests);
  if (compared === requests) return { least: over, most: over };
  let above = 0;
  let notAbove = 0;
  for (const [bin, count] of histogram) {
    const { leastUs, mostUs } = rangeOf(bin);
    if (leastUs > thresholdUs) above += count;
    else if (mostUs <= thresholdUs) notAbove += count;
  }
  const least = Math.min(Math.max(above, over), requests);
  return { least, most: Math.max(least, Math.min(requests - notAbove, over + requests - compared)) };
}
