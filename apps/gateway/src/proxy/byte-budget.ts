/** Default of `PORTCULLIS_HELD_BODIES_MB`: four of the longest bodies, or thousands of usual ones. */
export const heldBodiesMbDefault = 256;

/** Bytes in one MB of that setting. */
export const bytesPerMb: number = 1024 * 1024;

/** A body that is still coming gives way to others when it has come for so long, and slower than {@link bytesPerSecondMin}. */
export const slowAfterMs = 10_000;
/** Bytes a second from the first one on. A line of 80 kbit/s brings as many; who drips would hold the memory of thousands of others for days. */
export const bytesPerSecondMin = 10_000;
/** At most so often slow ones are looked for: a flood of refusals must not look at thousands of bodies each time. */
const looksEveryMs = 1000;

/** A body that is still coming. */
export interface ArrivingBody {
  /** Bytes that have come. */
  readonly arrived: number;
  /** When the first was asked for, on the monotonic clock. */
  readonly sinceMs: number;
  /** Ends as its sender's failure, and gives back at once what it holds. */
  giveWay(): void;
}

/**
 * How many bytes of bodies the process holds in memory, of all requests together, and how many it may. One body has a bound of
 * its own; without this one a thousand clients with long bodies are the process's end.
 */
export class ByteBudget {
  readonly #bytesMax: number;
  readonly #monotonicMs: () => number;
  readonly #arriving = new Set<ArrivingBody>();
  #held = 0;
  #refused = 0;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(bytesMax: number, monotonicMs: () => number) {
    this.#bytesMax = bytesMax;
    this.#monotonicMs = monotonicMs;
  }

  /** The clock of {@link ArrivingBody.sinceMs}. */
  get nowMs(): number {
    return this.#monotonicMs();
  }

  /** A body begins to come. Each call wants one {@link arrived}. */
  arrives(body: ArrivingBody): void {
    this.#arriving.add(body);
  }

  /** It is there, or nobody waits for it any more. Safe to call twice. */
  arrived(body: ArrivingBody): void {
    this.#arriving.delete(body);
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
    if (bytes <= this.#bytesMax) this.#makeRoom();
    if (this.#held + bytes <= this.#bytesMax) return true;
    this.#refused += 1;
    return false;
  }

  /** Slow senders are left alone while there is room. */
  #makeRoom(): void {
    const nowMs = this.#monotonicMs();
    if (nowMs - this.#lookedMs < looksEveryMs) return;
    this.#lookedMs = nowMs;
    for (const body of [...this.#arriving]) {
      const ageMs = nowMs - body.sinceMs;
      if (ageMs >= slowAfterMs && body.arrived * 1000 < bytesPerSecondMin * ageMs) body.giveWay();
    }
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
