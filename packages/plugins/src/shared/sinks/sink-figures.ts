import type { PluginServices } from '@portcullis/plugin-runtime';
import { warningTimes } from '../warning-times.ts';

/** Why records were lost. */
export type LossReason = 'queue_full' | 'refused' | 'gave_up' | 'ended';

/** What a sink sends. Most send records. */
export type SinkNoun = 'records' | 'figures';

/** Counts what became of records and tells an operator of losses, at most once a minute. */
export class SinkFigures {
  readonly #log: PluginServices['log'];
  readonly #isTime: () => boolean;
  readonly #noun: SinkNoun;
  readonly #sent;
  readonly #dropped;
  readonly #failed;
  #lost = 0;

  /** @param noun what the sink sends, as its counters call it */
  constructor({ metrics, log, clock }: Pick<PluginServices, 'metrics' | 'log' | 'clock'>, noun: SinkNoun) {
    this.#noun = noun;
    this.#log = log;
    this.#isTime = warningTimes(clock.monotonicMs);
    this.#sent = metrics.counter(`${noun}_sent`, `What of ${noun} that the sink took`);
    this.#dropped = metrics.counter(
      `${noun}_dropped`,
      `What of ${noun} that left the queue unsent, because it was full or had to end`,
    );
    this.#failed = metrics.counter(
      `${noun}_failed`,
      `What of ${noun} that the sink refused, or did not take in all tries`,
    );
  }

  sent(records: number): void {
    this.#sent.add(records);
  }

  /** @param error what the last try failed with, if one did */
  lost(records: number, reason: LossReason, error?: unknown): void {
    (reason === 'queue_full' || reason === 'ended' ? this.#dropped : this.#failed).add(records);
    this.#lost += records;
    if (!this.#isTime()) return;
    const { message } = error instanceof Error && error.name === 'SendError' ? error : { message: undefined };
    this.#log.warn(`${this.#noun} were lost`, {
      reason,
      count: this.#lost,
      ...(message === undefined ? {} : { said: message }),
    });
    this.#lost = 0;
  }
}
