/**
 * Tokens of one subject: what was used, and what is held back for requests under way. One that a request holds back stays held back across the
 * end of a window; what it uses counts in the window in which it ends.
 */
export class TokenBudget {
  #used = 0;
  #reserved = 0;
  /** Requests under way; one may hold back nothing, and still be charged. */
  #open = 0;
  #windowStartMs = 0;
  #windowEndMs = Infinity;

  /** Begins a new window when the one before is over. @param windowMs 0 for a budget that never begins anew */
  turn(nowMs: number, windowMs: number): void {
    if (windowMs === 0) {
      this.#windowEndMs = Infinity;
      return;
    }
    const startMs = nowMs - (nowMs % windowMs);
    if (startMs > this.#windowStartMs) {
      this.#used = 0;
      this.#windowStartMs = startMs;
    }
    this.#windowEndMs = startMs + windowMs;
  }

  /** Used and held back. */
  get taken(): number {
    return this.#used + this.#reserved;
  }

  /** Milliseconds to the end of the window; `undefined` where there is none. */
  resetMs(nowMs: number): number | undefined {
    return this.#windowEndMs === Infinity ? undefined : Math.max(0, this.#windowEndMs - nowMs);
  }

  reserve(tokens: number): void {
    this.#reserved += tokens;
    this.#open += 1;
  }

  /** Gives back what was held and charges what was used. */
  settle(reserved: number, used: number): void {
    this.#reserved -= reserved;
    this.#open -= 1;
    this.#used += used;
  }

  /** Whether forgetting it would change no decision. */
  isIdle(nowMs: number): boolean {
    return this.#open === 0 && (this.#used === 0 || nowMs >= this.#windowEndMs);
  }
}
