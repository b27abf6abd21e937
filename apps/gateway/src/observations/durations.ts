/** Upper bounds of the buckets of duration metrics, in seconds. */
export const durationBucketsSeconds: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

const boundsUs = durationBucketsSeconds.map((seconds) => Math.round(seconds * 1e6));

/** Counts of durations in fixed buckets, for a scrape to read. Counting is one short scan and three additions. */
export class Durations {
  /** Counts per bucket, not cumulative; the last one is for what is above all bounds. */
  readonly buckets: Float64Array = new Float64Array(boundsUs.length + 1);
  sumUs = 0;
  count = 0;

  add(durationUs: number): void {
    let bucket = 0;
    while (bucket < boundsUs.length && durationUs > (boundsUs[bucket] ?? 0)) bucket += 1;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
    this.sumUs += durationUs;
    this.count += 1;
  }
}
