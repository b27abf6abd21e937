import { latencyBin, latencyBinMax, latencyBinStart } from '@portcullis/resources';
import { type BinRange, type JudgedCounter, slowRequests } from '@portcullis/slo-engine';
import { ComparedReader } from './compared-thresholds.ts';
import { saturatedSum } from './counter-pairs.ts';
import { readHistogram } from './histogram-text.ts';
import type { SloCounterRow } from './slo-counters.ts';
import type { CounterSegment } from './slo-ranges.ts';

/** The sum of the counters of one segment, in which `first` is the segment's. */
export interface SloCounter extends JudgedCounter {
  /** From the first minute that has requests to before `end`, the minute after the last; to the length of the counters. */
  readonly observed: { readonly first: number; readonly end: number };
}

/**
 * The counters of a scope, added up by segment: for failures and for each threshold. Memory is that of the segments, whatever the
 * number of rows.
 */
export class SegmentSums {
  readonly #sums: ReadonlyMap<string, readonly SegmentSum[]>;
  readonly #thresholdsUs: readonly number[];
  readonly #compared: ComparedReader;
  readonly #bins: readonly ThresholdBin[];

  /** @param thresholdsUs whole microseconds, each once */
  constructor(segments: readonly CounterSegment[], thresholdsUs: readonly number[]) {
    const sums = segments.map((segment) => new SegmentSum(segment, thresholdsUs.length));
    this.#sums = Map.groupBy(sums, ({ segment }) => segment.grain);
    this.#thresholdsUs = thresholdsUs;
    this.#compared = new ComparedReader(thresholdsUs);
    this.#bins = thresholdsUs.map((thresholdUs) => new ThresholdBin(thresholdUs));
  }

  /**
   * Adds a row.
   * @returns `false` for one that was not compared with every threshold: it has to be added with its histogram
   */
  add(row: SloCounterRow): boolean {
    const sum = this.#sumOf(row);
    if (!sum || row.requests === 0) return true;
    if (this.#thresholdsUs.length > 0) {
      this.#compared.read(row.over_thresholds);
      if (!this.#compared.hasAll(row.requests)) return false;
      for (const [index, over] of this.#compared.over.entries()) {
        const slow = Math.min(over, row.requests);
        sum.addSlow(index, slow, slow);
      }
    }
    sum.addRequests(row);
    return true;
  }

  /** Adds a row that `add` did not take. */
  addWithHistogram(row: SloCounterRow, histogram: string): void {
    const sum = this.#sumOf(row);
    if (!sum) return;
    this.#compared.read(row.over_thresholds);
    for (const bin of this.#bins) bin.clear();
    readHistogram(histogram, (bin, count) => {
      for (const each of this.#bins) each.add(bin, count);
    });
    for (const [index, thresholdUs] of this.#thresholdsUs.entries()) {
      const over = this.#compared.over[index] ?? 0;
      const counts = { requests: row.requests, over, compared: this.#compared.compared[index] ?? 0 };
      const { least, most } = slowRequests(
        { ...counts, histogram: this.#bins[index]?.pairs ?? [] },
        thresholdUs,
        rangeOfBin,
      );
      sum.addSlow(index, least, most);
    }
    sum.addRequests(row);
  }

  /** The sums as an objective judges them. @param thresholdUs one of the constructor's; `null`: statuses 500 to 599 are bad */
  counters(thresholdUs: number | null): SloCounter[] {
    const index = thresholdUs === null ? undefined : this.#thresholdsUs.indexOf(thresholdUs);
    return [...this.#sums.values()].flatMap((sums) =>
      sums.filter((sum) => sum.total > 0).map((sum) => sum.judged(index)),
    );
  }

  #sumOf({ grain, minute }: SloCounterRow): SegmentSum | undefined {
    const sums = this.#sums.get(grain) ?? [];
    let [low, high] = [0, sums.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle]?.segment.end ?? 0) <= minute) low = middle + 1;
      else high = middle;
    }
    const sum = sums[low];
    return sum && sum.segment.first <= minute ? sum : undefined;
  }
}

class SegmentSum {
  readonly segment: CounterSegment;
  total = 0;
  #failed = 0;
  #first = Number.POSITIVE_INFINITY;
  #end = Number.NEGATIVE_INFINITY;
  readonly #least: Float64Array;
  readonly #most: Float64Array;

  constructor(segment: CounterSegment, thresholds: number) {
    this.segment = segment;
    this.#least = new Float64Array(thresholds);
    this.#most = new Float64Array(thresholds);
  }

  addRequests({ minute, requests, errors_5xx: failed }: SloCounterRow): void {
    this.total = saturatedSum(this.total, requests);
    this.#failed = saturatedSum(this.#failed, failed);
    this.#first = Math.min(this.#first, minute);
    this.#end = Math.max(this.#end, minute + this.segment.grainMinutes);
  }

  addSlow(index: number, least: number, most: number): void {
    this.#least[index] = saturatedSum(this.#least[index] ?? 0, least);
    this.#most[index] = saturatedSum(this.#most[index] ?? 0, most);
  }

  judged(index: number | undefined): SloCounter {
    const { grainMinutes, first } = this.segment;
    const observed = { first: this.#first, end: this.#end };
    return { grainMinutes, first, observed, total: this.total, bad: this.#bad(index) };
  }

  #bad(index: number | undefined): JudgedCounter['bad'] {
    if (index === undefined) return this.#failed;
    const [least, most] = [this.#least[index] ?? 0, this.#most[index] ?? 0];
    return least === most ? least : { least, most };
  }
}

/** A histogram as far as one threshold goes: what lies below the bin that holds it, in that bin, and above it. */
class ThresholdBin {
  readonly #bin: number;
  #below = 0;
  #at = 0;
  #above = 0;

  constructor(thresholdUs: number) {
    this.#bin = latencyBin(thresholdUs);
  }

  clear(): void {
    [this.#below, this.#at, this.#above] = [0, 0, 0];
  }

  add(bin: number, count: number): void {
    if (bin < this.#bin) this.#below += count;
    else if (bin > this.#bin) this.#above += count;
    else this.#at += count;
  }

  get pairs(): [bin: number, count: number][] {
    const pairs: [number, number][] = [
      [this.#bin - 1, this.#below],
      [this.#bin, this.#at],
      [this.#bin + 1, this.#above],
    ];
    return pairs.filter(([, count]) => count > 0);
  }
}

const rangeOfBin: BinRange = (bin) => ({
  leastUs: latencyBinStart(bin),
  mostUs: bin >= latencyBinMax ? Number.POSITIVE_INFINITY : latencyBinStart(bin + 1) - 1,
});
