import { sharedStoreFailure, type SharedStore, type SharedStoreFailure, type Timers } from '@portcullis/plugin-runtime';

/** How long a store may say nothing while somebody waits. */
const SILENCE_MS = 250;

/** The same while many wait: soon there is no place for more. */
const SILENCE_MS_OF_MANY = 15;

/** Less than the calls of one instance that may wait by default, 32. */
const MANY = 8;

/** Between two questions whether a silent store is back. */
const PROBE_EVERY_MS = 250;
const PROBE_TIMEOUT_MS = 1000;

const probe = { name: 'limits_probe', lua: 'return 1' };

/** What a watch needs. */
export interface StoreWatchOptions {
  readonly store: SharedStore;
  readonly monotonicMs: () => number;
  readonly timers: Timers;
}

type Wait = (failure: SharedStoreFailure) => void;

/** For whoever may do without the store: waits for it only as long as it says something. A store that is silent is not asked until a probe was answered. */
export class StoreWatch {
  readonly #options: StoreWatchOptions;
  readonly #waits = new Set<Wait>();
  #heardMs = 0;
  #timer: unknown;
  #isSilent = false;
  #probeFromMs = Number.NEGATIVE_INFINITY;

  constructor(options: StoreWatchOptions) {
    this.#options = options;
  }

  /** Whether the store is known to be silent. Asks it, now and then, whether it still is. */
  isSilent(): boolean {
    if (!this.#isSilent) return false;
    const now = this.#options.monotonicMs();
    if (now >= this.#probeFromMs) {
      this.#probeFromMs = now + PROBE_EVERY_MS;
      const answer = this.#options.store.run(probe, ['limits:probe'], [], { timeoutMs: PROBE_TIMEOUT_MS });
      answer.then(this.#heard, () => undefined);
    }
    return true;
  }

  /**
   * What a call gives, or what is decided without it when it fails or the store is silent. Errors that are not the store's stay errors.
   * @param alone decides without the store
   */
  wait<T>(call: Promise<T>, alone: (failure: SharedStoreFailure) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const giveUp = (failure: SharedStoreFailure): void => {
        if (!this.#waits.delete(giveUp)) return;
        try {
          resolve(alone(failure));
        } catch (error) {
          reject(error);
        }
      };
      if (this.#waits.size === 0) this.#heardMs = this.#options.monotonicMs();
      this.#waits.add(giveUp);
      this.#arm();
      call.then(
        (value) => {
          this.#heard();
          if (this.#waits.delete(giveUp)) resolve(value);
        },
        (error: unknown) => {
          const failure = sharedStoreFailure(error);
          if (failure !== undefined) giveUp(failure);
          else if (this.#waits.delete(giveUp)) reject(error);
        },
      );
    });
  }

  readonly #heard = (): void => {
    this.#heardMs = this.#options.monotonicMs();
    this.#isSilent = false;
  };

  #arm(delayMs = SILENCE_MS_OF_MANY): void {
    if (this.#timer !== undefined) return;
    this.#timer = this.#options.timers.set(() => {
      // First what arrived meanwhile is read: the process itself may have stood still.
      setImmediate(() => {
        this.#timer = undefined;
        this.#judge();
      });
    }, delayMs);
  }

  #judge(): void {
    if (this.#waits.size === 0) return;
    const silenceMs = this.#options.monotonicMs() - this.#heardMs;
    const leftMs = (this.#waits.size < MANY ? SILENCE_MS : SILENCE_MS_OF_MANY) - silenceMs;
    if (leftMs > 0) {
      // Timers may fire a little early by this clock: another whole wait would be more than calls wait for a place.
      this.#arm(Math.min(SILENCE_MS_OF_MANY, Math.ceil(leftMs)));
      return;
    }
    this.#isSilent = true;
    for (const giveUp of [...this.#waits]) giveUp('timeout');
  }
}
