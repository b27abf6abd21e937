/** Failures one after another after which a service is left alone. */
export const FAILURES_MAX = 5;

/** How long it is left alone before one call tries it again, in milliseconds. */
export const REST_MS = 10_000;

/**
 * Keeps calls from a service that fails: each would wait for the time-out, and as many as wait at once is bounded.
 */
export class ServiceRest {
  readonly #monotonicMs: () => number;
  #failures = 0;
  #untilMs = 0;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Whether it is to be left alone. When the rest is over, one caller is told that it is not: its call decides for the others. */
  isOn(): boolean {
    if (this.#failures < FAILURES_MAX) return false;
    const nowMs = this.#monotonicMs();
    if (nowMs < this.#untilMs) return true;
    this.#untilMs = nowMs + REST_MS;
    return false;
  }

  noteSuccess(): void {
    this.#failures = 0;
  }

  noteFailure(): void {
    this.#failures += 1;
    if (this.#failures >= FAILURES_MAX) this.#untilMs = this.#monotonicMs() + REST_MS;
  }
}
