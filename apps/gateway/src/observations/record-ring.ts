import type { FinishedRequest } from './observer.ts';

/** Raw records that wait for their report at most. While there are as many, further ones are counted and not kept. */
const recordsWaitingMax = 10_000;

/**
 * Bounded queue of raw records. When it is full, new ones are dropped and not old ones: under a load of which most records
 * cannot be kept, what is dropped then costs nothing.
 */
export class RecordRing {
  readonly #slots: (FinishedRequest | undefined)[];
  #first = 0;
  #size = 0;
  #dropped = 0;
  #droppedTotal = 0;

  constructor(capacity: number = recordsWaitingMax) {
    this.#slots = Array.from({ length: capacity });
  }

  /** How many records wait. */
  get size(): number {
    return this.#size;
  }

  /** Records that were dropped since the process began. */
  get droppedTotal(): number {
    return this.#droppedTotal;
  }

  /** Whether a record would be kept. When not, say {@link drop} and spare the making of it. */
  get hasRoom(): boolean {
    return this.#size < this.#slots.length;
  }

  /** Counts a record that was not made. */
  drop(): void {
    this.#dropped += 1;
    this.#droppedTotal += 1;
  }

  push(record: FinishedRequest): void {
    if (!this.hasRoom) {
      this.drop();
      return;
    }
    this.#slots[(this.#first + this.#size) % this.#slots.length] = record;
    this.#size += 1;
  }

  /** Takes out up to `max` records, oldest first, and how many were dropped since the last time. */
  take(max: number): { readonly records: FinishedRequest[]; readonly dropped: number } {
    const records: FinishedRequest[] = [];
    while (records.length < max && this.#size > 0) {
      const record = this.#slots[this.#first];
      this.#slots[this.#first] = undefined;
      this.#first = (this.#first + 1) % this.#slots.length;
      this.#size -= 1;
      if (record !== undefined) records.push(record);
    }
    const dropped = this.#dropped;
    this.#dropped = 0;
    return { records, dropped };
  }
}
