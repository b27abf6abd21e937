import { latencyBinMax, latencyBinStart } from '@portcullis/resources';
import { saturatedSum, type CounterPairs } from './counter-pairs.ts';
import { histogramText, readHistogram } from './histogram-text.ts';

/** A latency histogram that is being added up. Holds every bin, some 30 kB: for sums, not for keeping. */
export class LatencySum {
  readonly #counts = new Float64Array(latencyBinMax + 1);
  /** The bin after the highest that has a count. */
  #end = 0;

  readonly #addOne = (bin: number, count: number): void => {
    if (count === 0 || bin > latencyBinMax) return;
    this.#counts[bin] = saturatedSum(this.#counts[bin] ?? 0, count);
    if (bin >= this.#end) this.#end = bin + 1;
  };

  /** Adds what a node counted. */
  addPairs(pairs: CounterPairs): void {
    for (const [bin, count] of pairs) this.#addOne(bin, count);
  }

  /** Adds a stored histogram. */
  addText(text: string): void {
    readHistogram(text, this.#addOne);
  }

  /** Adds another sum. */
  addSum(other: LatencySum): void {
    for (let bin = 0; bin < other.#end; bin += 1) this.#addOne(bin, other.#counts[bin] ?? 0);
  }

  /** As it is stored. */
  toText(): string {
    return histogramText(this.#counts, this.#end);
  }

  /** Begins anew. */
  clear(): void {
    this.#counts.fill(0, 0, this.#end);
    this.#end = 0;
  }

  /**
   * The latency below which a share of the requests lies: the middle of the bin that holds it.
   * @param share above 0, at most 1
   * @returns microseconds, or `undefined` for an empty histogram
   */
  quantileUs(share: number): number | undefined {
    let total = 0;
    for (let bin = 0; bin < this.#end; bin += 1) total += this.#counts[bin] ?? 0;
    if (total === 0) return undefined;
    const rank = Math.max(1, Math.ceil(total * share));
    let seen = 0;
    for (let bin = 0; bin < this.#end; bin += 1) {
      seen += this.#counts[bin] ?? 0;
      if (seen >= rank) return (latencyBinStart(bin) + latencyBinStart(bin + 1) - 1) / 2;
    }
    return undefined;
  }
}
