/** How long a service is left alone after its first failure; it doubles with each further one in a row. */
export const PAUSE_MIN_MS = 250;
export const PAUSE_MAX_MS = 30_000;

/** More doublings change nothing. */
const FAILURES_MAX = 16;

/** Leaves a service alone that failed, so that an outage costs one request its time-out and not each. */
export class OutagePause {
  readonly #clock: { monotonicMs(): number };
  #failures = 0;
  #untilMs = -Infinity;

  constructor(clock: { monotonicMs(): number }) {
    this.#clock = clock;
  }

  /** Whether the service is left alone now. */
  get isOn(): boolean {
    return this.#clock.monotonicMs() < this.#untilMs;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(): void {
    // Calls that were under way together are one failure.
    if (this.isOn) return;
    const pauseMs = Math.min(PAUSE_MAX_MS, PAUSE_MIN_MS * 2 ** this.#failures);
    this.#failures = Math.min(this.#failures + 1, FAILURES_MAX);
    this.#untilMs = this.#clock.monotonicMs() + pauseMs;
  }
}
