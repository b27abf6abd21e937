/** Parts of a window: a result counts for the window's length, less at most one part. */
export const WINDOW_PARTS = 10;

/** Results of the last seconds, summed up in ten parts: memory and cost are the same for any number of requests. */
export class OutcomeWindow {
  readonly #partMs: number;
  readonly #totals = new Float64Array(WINDOW_PARTS);
  readonly #failures = new Float64Array(WINDOW_PARTS);
  /** Number of the newest part since the clock's start. */
  #newest = 0;

  /** @param windowMs how long a result counts, in milliseconds */
  constructor(windowMs: number) {
    this.#partMs = windowMs / WINDOW_PARTS;
  }

  /** Counts a result. @param nowMs monotonic */
  add(isFailure: boolean, nowMs: number): void {
    this.#moveTo(nowMs);
    const at = this.#newest % WINDOW_PARTS;
    this.#totals[at] = (this.#totals[at] ?? 0) + 1;
    if (isFailure) this.#failures[at] = (this.#failures[at] ?? 0) + 1;
  }

  /** Results that count now. */
  sums(nowMs: number): { readonly total: number; readonly failures: number } {
    this.#moveTo(nowMs);
    return { total: this.#totals.reduce(sum), failures: this.#failures.reduce(sum) };
  }

  /** Forgets all results. */
  clear(): void {
    this.#totals.fill(0);
    this.#failures.fill(0);
  }

  #moveTo(nowMs: number): void {
    const newest = Math.floor(nowMs / this.#partMs);
    if (newest <= this.#newest) return;
    const passed = Math.min(newest - this.#newest, WINDOW_PARTS);
    for (let part = newest - passed + 1; part <= newest; part += 1) {
      this.#totals[part % WINDOW_PARTS] = 0;
      this.#failures[part % WINDOW_PARTS] = 0;
    }
    this.#newest = newest;
  }
}

function sum(left: number, right: number): number {
  return left + right;
}
