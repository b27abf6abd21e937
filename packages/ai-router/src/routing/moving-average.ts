/** Time without samples after which a measured latency is believed less and less. Source: ai, Least latency. */
export const STALE_AFTER_MS = 60_000;

/** In this time an old measurement loses so much of its say that 1/e is left. */
const STALE_FADE_MS = 60_000;

/** An exponentially weighted moving average: `v = a·x + (1 - a)·v`. The first sample sets it. Source: ai, Least latency. */
export class MovingAverage {
  #value = 0;
  #sampledAtMs: number | undefined;

  /** @param alpha weight of the sample, 0.01..1 */
  note(sample: number, alpha: number, nowMs: number): void {
    this.#value = this.#sampledAtMs === undefined ? sample : alpha * sample + (1 - alpha) * this.#value;
    this.#sampledAtMs = nowMs;
  }

  /**
   * Somebody is about to find out how it is now. Until that is known the last value counts as if it were fresh: one request tries a target
   * that was slow, and not all of them.
   */
  noteTrial(nowMs: number): void {
    if (this.#sampledAtMs !== undefined && nowMs - this.#sampledAtMs > STALE_AFTER_MS) this.#sampledAtMs = nowMs;
  }

  /**
   * The average now; `undefined` without a sample.
   * @param configured where it goes back to when samples stop to come; without one it goes to zero, so that a target which was slow once is
   * asked again
   */
  at(nowMs: number, configured = 0): number | undefined {
    if (this.#sampledAtMs === undefined) return undefined;
    const staleMs = nowMs - this.#sampledAtMs - STALE_AFTER_MS;
    if (staleMs <= 0) return this.#value;
    return configured + (this.#value - configured) * Math.exp(-staleMs / STALE_FADE_MS);
  }
}
