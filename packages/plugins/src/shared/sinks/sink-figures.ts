import type { PluginServices } from '@portcullis/plugin-runtime';
import { warningTimes } from '../warning-times.ts';

/** Why records were lost. */
export type LossReason = 'queue_full' | 'refused' | 'gave_up' | 'ended';

/** Counts what became of records and tells an operator of losses, at most once a minute. */
export class SinkFigures {
  readonly #log: PluginServices['log'];
  readonly #isTime: () => boolean;
  readonly #sent;
  readonly #dropped;
  readonly #failed;
  #lost = 0;

  constructor({ metrics, log, clock }: Pick<PluginServices, 'metrics' | 'log' | 'clock'>) {
    this.#log = log;
    this.#isTime = warningTimes(clock.monotonicMs);
    this.#sent = metrics.counter('records_sent', 'Records that the sink took');
    this.#dropped = metrics.counter(
      'records_dropped',
      'Records that left the queue unsent, because it was full or had to end',
    );
    this.#failed = metrics.counter('records_failed', 'Records that the sink refused, or did not take in all tries');
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
    this.#log.warn('records were lost', {
      reason,
      records: this.#lost,
      ...(message === undefined ? {} : { said: message }),
    });
    this.#lost = 0;
  }
}
