/** Raw records a second that a worker keeps when nothing else is set: enough to see what happens, and cheap at any rate. */
export const recordsPerSecondDefault = 500;

/** How many seconds' records may come at once: a node with few requests keeps the records of a bunch of them. */
export const burstSeconds = 10;

/**
 * How many raw records are kept. A record costs about as much as a tenth of a request: with a record of each, a busy node would spend
 * more on them than on its policies. Full at the start; it fills up again steadily, so that what is kept is spread over time.
 * Decided when a request begins, because its steps are recorded on the way.
 */
export class RecordAllowance {
  readonly #perSecond: number;
  readonly #most: number;
  #left: number;
  #filledMs = 0;

  /** @param perSecond 0 keeps none */
  constructor(perSecond: number = recordsPerSecondDefault) {
    this.#perSecond = perSecond;
    this.#most = perSecond * burstSeconds;
    this.#left = this.#most;
  }

  /**
   * Takes a place for the record of a request that begins.
   * @param nowMs monotonic
   * @returns whether there was one
   */
  take(nowMs: number): boolean {
    const gained = ((nowMs - this.#filledMs) * this.#perSecond) / 1000;
    this.#filledMs = nowMs;
    this.#left = Math.min(this.#most, this.#left + gained);
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** A place that was taken is not wanted: a plugin decided against the record. */
  giveBack(): void {
    this.#left += 1;
  }
}
