/** Most moments that the clients of a set of counters hold together beyond the first 64 that each may keep. A moment takes 16 to 32 bytes. */
export const MOMENTS_MAX: number = 2 ** 20;

/** How many more moments may be kept. One for all clients and windows of a set of counters. */
export class MomentBudget {
  readonly #max: number;
  #left: number;

  constructor(max: number = MOMENTS_MAX) {
    this.#max = max;
    this.#left = max;
  }

  /** Negative when clients keep what each may always keep. */
  get left(): number {
    return this.#left;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** Whether clients that are gone should be looked for, because what they hold will be needed. */
  get isScarce(): boolean {
    return this.#left < this.#max / 8;
  }

  /** @param moments negative to give back */
  take(moments: number): void {
    this.#left -= moments;
  }
}
