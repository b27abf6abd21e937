import { AnswerStoreError } from './answer-store.ts';
import type { FlightTimers } from './flights.ts';

/** How long all look-ups of one request may take together, in milliseconds: a cache that takes longer is not worth its wait. */
export const LOOK_UPS_MS_MAX = 250;

/** What one request may wait for its store: the look-ups share it, and what lies between them does not count. */
export class StoreBudget {
  readonly #clock: { monotonicMs(): number };
  readonly #timers: FlightTimers;
  #leftMs = LOOK_UPS_MS_MAX;

  constructor(clock: { monotonicMs(): number }, timers: FlightTimers) {
    this.#clock = clock;
    this.#timers = timers;
  }

  /** What a call brings. @throws AnswerStoreError `unavailable` as soon as nothing is left; the call goes on unheard */
  within<Given>(call: Promise<Given>): Promise<Given> {
    const beganMs = this.#clock.monotonicMs();
    return new Promise((resolve, reject) => {
      const stopTimer = this.#timers.after(Math.max(0, this.#leftMs), () =>
        reject(new AnswerStoreError('unavailable', 'the store of cached answers is too slow')),
      );
      const end = (): void => {
        stopTimer();
        this.#leftMs -= this.#clock.monotonicMs() - beganMs;
      };
      call.finally(end).then(resolve, reject);
    });
  }
}
