/** Counts of values in fixed buckets, for a scrape to read. Counting is one short scan and three additions. */
export class Histogram {
  /** Upper bounds of the buckets, rising. */
  readonly bounds: readonly number[];
  /** Counts per bucket, not cumulative; the last one is for what is above all bounds. */
  readonly buckets: Float64Array;
  sum = 0;
  count = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.buckets = new Float64Array(bounds.length + 1);
  }

  add(value: number): void {
    let bucket = 0;
    while (bucket < this.bounds.length && value > (this.bounds[bucket] ?? 0)) bucket += 1;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
    this.sum += value;
    this.count += 1;
  }
}
