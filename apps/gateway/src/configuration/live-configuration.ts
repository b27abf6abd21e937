import type { Generation } from './generation.ts';

/** The generation that serves now. Swapping takes no time and touches no request. */
export class LiveConfiguration {
  readonly #onSwap: ((next: Generation) => void) | undefined;
  #current: Generation | undefined;

  /** @param onSwap is told of each generation as it begins to serve */
  constructor(onSwap?: (next: Generation) => void) {
    this.#onSwap = onSwap;
  }

  /** What new requests get; they have to `hold` it. `undefined` before the first configuration. */
  get current(): Generation | undefined {
    return this.#current;
  }

  /** Puts a generation in place. The one before is freed once its last request is over. */
  swap(next: Generation): void {
    const before = this.#current;
    this.#current = next;
    this.#onSwap?.(next);
    before?.release();
  }
}
