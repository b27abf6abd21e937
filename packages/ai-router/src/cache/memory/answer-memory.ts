import type { AnswerStore } from '../answer-store.ts';
import { MemorySpace } from './memory-space.ts';

/** Bytes of the answers of one tenant. */
export const SPACE_BYTES_MAX: number = 64 * 1024 * 1024;

/** Bytes of the answers of all tenants. */
export const MEMORY_BYTES_MAX: number = 256 * 1024 * 1024;

/** Settings of {@link AnswerMemory}. */
export interface AnswerMemoryOptions {
  readonly clock: { nowMs(): number };
  /** Default {@link SPACE_BYTES_MAX}. */
  readonly spaceBytesMax?: number;
  /** Default {@link MEMORY_BYTES_MAX}. */
  readonly bytesMax?: number;
}

/**
 * Answers in this process's memory. Make one for a process: each tenant has a space of its own with a bound of its own, and where all of them are too much
 * together the largest gives way. In a space what was used longest ago goes first.
 */
export class AnswerMemory {
  readonly #clock: { nowMs(): number };
  readonly #spaceBytesMax: number;
  readonly #bytesMax: number;
  readonly #spaces = new Map<string, MemorySpace>();
  #bytes = 0;

  constructor({ clock, spaceBytesMax = SPACE_BYTES_MAX, bytesMax = MEMORY_BYTES_MAX }: AnswerMemoryOptions) {
    this.#clock = clock;
    this.#spaceBytesMax = spaceBytesMax;
    this.#bytesMax = bytesMax;
  }

  /** Of all spaces. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The store of a space; the same for the same name. Disposing of it forgets what is in it. */
  storeOf(space: string): AnswerStore {
    const known = this.#spaces.get(space);
    if (known !== undefined) return known;
    const made = new MemorySpace({
      clock: this.#clock,
      bytesMax: Math.min(this.#spaceBytesMax, this.#bytesMax),
      onBytes: (change) => (this.#bytes += change),
      onPut: () => this.#shrink(),
      onDispose: () => this.#spaces.delete(space),
    });
    this.#spaces.set(space, made);
    return made;
  }

  #shrink(): void {
    while (this.#bytes > this.#bytesMax) {
      let largest: MemorySpace | undefined;
      for (const space of this.#spaces.values()) if (space.bytes > (largest?.bytes ?? 0)) largest = space;
      if (largest === undefined || !largest.dropOldest()) return;
    }
  }
}
