import type { MinuteCounter } from '@portcullis/resources';
import { addTo, visitPairs } from './counter-pairs.ts';

/*
 * A row of counters may be made of counters that were compared with a threshold and of others, of gateways that did not know it
 * yet. So it keeps, for each threshold, also how many requests were compared: under `-1 - threshold`, a key that no threshold has, and
 * so that adding rows up stays plain addition.
 */

/**
 * Adds what a node's counter says about thresholds. The number of slow requests goes in before the number of compared ones: of a
 * row that is full the second can be missing, never the first.
 * @param keysMax keys that are kept at most
 */
export function addCompared(
  counts: Map<number, number>,
  { over, requests }: Pick<MinuteCounter, 'over' | 'requests'>,
  keysMax: number,
): void {
  const known = new Set(over.map(([threshold]) => threshold));
  addTo(counts, over, keysMax);
  addTo(
    counts,
    Array.from(known, (threshold) => [comparedKey(threshold), requests] as const),
    keysMax,
  );
}

/**
 * Reads what stored rows say about some thresholds, one row after the other. A row has two numbers for each threshold that its
 * gateways know, so its text is read as it is, without a value for each.
 */
export class ComparedReader {
  /** Of the row that was read last, by threshold: requests that took longer. */
  readonly over: Float64Array;
  /** Requests that were compared with it. */
  readonly compared: Float64Array;
  readonly #places: ReadonlyMap<number, number>;

  constructor(thresholdsUs: readonly number[]) {
    this.over = new Float64Array(thresholdsUs.length);
    this.compared = new Float64Array(thresholdsUs.length);
    this.#places = new Map(thresholdsUs.map((thresholdUs, place) => [thresholdUs, place]));
  }

  /** @param text the column `over_thresholds` */
  read(text: string): void {
    this.over.fill(0);
    this.compared.fill(0);
    visitPairs(text, (key, count) => {
      const place = this.#places.get(key < 0 ? comparedKey(key) : key);
      if (place === undefined) return;
      if (key < 0) this.compared[place] = count;
      else this.over[place] = count;
    });
  }

  /** Whether all requests of the row were compared with every threshold. */
  hasAll(requests: number): boolean {
    return this.compared.every((compared) => compared >= requests);
  }
}

/** The other key of a threshold. */
function comparedKey(key: number): number {
  return -1 - key;
}
