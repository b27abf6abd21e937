/** Waits between attempts. Source: contract between gateway and control plane. */
const backoffMs = { first: 250, longest: 5000 } as const;

/** Growing, jittered waits: nodes that lost the control plane together do not come back together. */
export class Backoff {
  readonly #random: () => number;
  #failures = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Milliseconds to wait after one more failure: half to all of 250, 500, 1000 … 5000. */
  next(): number {
    const ceiling = Math.min(backoffMs.longest, backoffMs.first * 2 ** this.#failures);
    this.#failures = Math.min(this.#failures + 1, 16);
    return ceiling * (0.5 + this.#random() / 2);
  }

  /** The next failure is a first one again. */
  reset(): void {
    this.#failures = 0;
  }
}
