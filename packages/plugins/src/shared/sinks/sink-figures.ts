import type { LogDetails, PluginServices } from '@portcullis/plugin-runtime';
import { SendError } from './record-sender.ts';

/** Why records were lost. */
export type LossReason = 'queue_full' | 'refused' | 'gave_up' | 'ended';

/** What a sink sends. Most send records. */
export type SinkNoun = 'records' | 'figures';

/** Least time between two warnings, in milliseconds. */
const WARNING_INTERVAL_MS = 60_000;

/** What these figures need of the host. */
type FigureServices = Pick<PluginServices, 'metrics' | 'log' | 'timers'>;

/** Counts what became of records and tells an operator of all losses, at most once a minute. */
export class SinkFigures {
  readonly #log: PluginServices['log'];
  readonly #timers: PluginServices['timers'];
  readonly #noun: SinkNoun;
  readonly #sent;
  readonly #dropped;
  readonly #failed;
  #lost = 0;
  #told: LogDetails = {};
  /** Runs while no further warning is due. */
  #pause: unknown;

  /** @param noun what the sink sends, as its counters call it */
  constructor({ metrics, log, timers }: FigureServices, noun: SinkNoun) {
    this.#noun = noun;
    this.#log = log;
    this.#timers = timers;
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
    this.#told = { reason, ...(error instanceof SendError ? { said: error.message } : {}) };
    if (this.#pause === undefined) this.#tell();
  }

  /** Tells of what was not told yet, and counts no more. Call once. */
  end(): void {
    this.#timers.clear(this.#pause);
    if (this.#lost > 0) this.#warn();
  }

  #tell(): void {
    this.#warn();
    this.#pause = this.#timers.set(() => {
      this.#pause = undefined;
      if (this.#lost > 0) this.#tell();
    }, WARNING_INTERVAL_MS);
  }

  #warn(): void {
    this.#log.warn(`${this.#noun} were lost`, { ...this.#told, count: this.#lost });
    this.#lost = 0;
  }
}
