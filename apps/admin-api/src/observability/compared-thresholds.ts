import type { MinuteCounter } from '@portcullis/resources';
import { addTo, parsePairs } from './counter-pairs.ts';

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

/** What a row says about a threshold. */
export interface ComparedRequests {
  /** Requests that were compared with it. */
  readonly compared: number;
  /** Those of them that took longer. */
  readonly over: number;
}

/** Reads what a stored row says about a threshold. @param text the column `over_thresholds` */
export function comparedWith(text: string, thresholdUs: number): ComparedRequests {
  // Most rows of a gateway without objectives of latency.
  if (text === '[]') return { compared: 0, over: 0 };
  const counts = parsePairs(text);
  return { compared: counts.get(comparedKey(thresholdUs)) ?? 0, over: counts.get(thresholdUs) ?? 0 };
}

function comparedKey(thresholdUs: number): number {
  return -1 - thresholdUs;
}
