import type { System } from '../adapters/system.ts';

/** The clock and timers of a watch. */
export type WatchClock = Pick<System, 'monotonicMs' | 'setTimer'>;

/** Tells when nothing has moved for a while. Bytes cost one reading of the clock, and no timer of their own. */
export class IdleWatch {
  readonly #clock: WatchClock;
  readonly #idleMs: number;
  readonly #onIdle: () => void;
  #lastMs: number;
  #cancel: () => void;

  constructor(clock: WatchClock, idleMs: number, onIdle: () => void) {
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.#onIdle = onIdle;
    this.#lastMs = clock.monotonicMs();
    this.#cancel = clock.setTimer(() => this.#look(), idleMs);
  }

  /** Something moved. */
  touch(): void {
    this.#lastMs = this.#clock.monotonicMs();
  }

  end(): void {
    this.#cancel();
  }

  #look(): void {
    const leftMs = this.#idleMs - (this.#clock.monotonicMs() - this.#lastMs);
    // A timer may come a little early.
    if (leftMs < 1) this.#onIdle();
    else this.#cancel = this.#clock.setTimer(() => this.#look(), leftMs);
  }
}
