/**
 * Draws that cost no allocation, as each number of `Math.random` does where it is given on: xorshift over 32 bits. Good enough to spread
 * requests, and no secret. Source: G. Marsaglia, Xorshift RNGs, 2003.
 */
export class Draws {
  readonly #state = new Int32Array(1);

  /** @param random uniform in [0, 1); asked once */
  constructor(random: () => number) {
    this.#state[0] = Math.floor(random() * 2 ** 32) | 1;
  }

  /** A whole number from 0 to before `size`, which is at least 1. */
  below(size: number): number {
    let bits = this.#state[0] ?? 1;
    bits ^= bits << 13;
    bits ^= bits >>> 17;
    bits ^= bits << 5;
    this.#state[0] = bits;
    return (bits >>> 1) % size;
  }
}
