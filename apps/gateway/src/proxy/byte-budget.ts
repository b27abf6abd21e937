/** Default of `PORTCULLIS_HELD_BODIES_MB`: four of the longest bodies, or thousands of usual ones. */
export const heldBodiesMbDefault = 256;

/** Bytes in one MB of that setting. */
export const bytesPerMb: number = 1024 * 1024;

/**
 * How many bytes of bodies the process holds in memory, of all requests together, and how many it may. One body has a bound of
 * its own; without this one a thousand clients with long bodies are the process's end.
 */
export class ByteBudget {
  readonly #bytesMax: number;
  #held = 0;
  #refused = 0;

  constructor(bytesMax: number = heldBodiesMbDefault * bytesPerMb) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes that are held now. */
  get held(): number {
    return this.#held;
  }

  /** Bodies that were refused since the start. */
  get refused(): number {
    return this.#refused;
  }

  /** Whether so many bytes could be held now. A `false` is counted as a body that was refused. */
  fits(bytes: number): boolean {
    if (this.#held + bytes <= this.#bytesMax) return true;
    this.#refused += 1;
    return false;
  }

  /** Holds so many bytes more. @returns `false`, and counts a body that was refused, when there is no room */
  take(bytes: number): boolean {
    if (!this.fits(bytes)) return false;
    this.#held += bytes;
    return true;
  }

  /** Holds so many bytes more, for somebody who can do without: a `false` is no body that was refused. */
  reserve(bytes: number): boolean {
    if (this.#held + bytes > this.#bytesMax) return false;
    this.#held += bytes;
    return true;
  }

  /** Bytes that were taken are held no more. */
  give(bytes: number): void {
    this.#held -= bytes;
  }
}
