import { observationLimits, type MinuteCounter } from '@portcullis/resources';
import type { MinuteCounters } from './minute-counters.ts';

/** So many counters go with every batch. More of them wait for their turn, so that each gathers more than a request or two. */
export const countersAtOnce = 500;

/**
 * Characters of one batch's counters, about. After an outage thousands of counters wait, each with histograms of thousands of requests, and a control
 * plane takes 16 MiB, the raw records included.
 */
export const countersCharactersMax: number = 8 * 1024 * 1024;

/** Every how many batches it is the turn of many counters. */
export const batchesPerTurn = 5;

/**
 * Which counters go with a batch. With requests on thousands of routes a counter per route and second would cost about as much
 * as the requests; what is counted stays exact, it only comes a few seconds later.
 */
export class CounterTurns {
  #batches = 0;
  /** Counters of the present turn that are not taken yet; those that came later wait for the next. */
  #left = 0;

  /**
   * Takes out what goes with the next batch.
   * @param all whether waiting makes no sense any more: the process ends
   */
  take(counters: MinuteCounters, all = false): MinuteCounter[] {
    this.#batches += 1;
    const isTurn = all || counters.size <= countersAtOnce || this.#batches % batchesPerTurn === 0;
    if (isTurn && this.#left === 0) this.#left = counters.size;
    const wanted = Math.min(observationLimits.countersMax, this.#left);
    if (wanted === 0) return [];
    const taken = counters.take(wanted, countersCharactersMax);
    // Fewer may be left than there were: old minutes were added to later ones.
    this.#left = Math.min(this.#left - taken.length, counters.size);
    return taken;
  }
}
