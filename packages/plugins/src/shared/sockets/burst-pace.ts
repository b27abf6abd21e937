import type { SinkLimits } from '../sinks/sink-limits.ts';

/** Datagrams, and bytes of them, that leave within a millisecond: what fits the room that systems give a receiver (208 KiB on Linux). */
export const BURST_DATAGRAMS_MAX = 64;
export const BURST_BYTES_MAX: number = 64 * 1024;

/** Length of a burst, in milliseconds. */
export const BURST_MS = 1;

/**
 * What sinks of datagrams keep to beside: a batch is a burst, because what comes at once and finds no room at the receiver is lost, and
 * nobody is told.
 */
export const BURST_LIMITS: Partial<SinkLimits> = {
  batchRecordsMax: BURST_DATAGRAMS_MAX,
  batchBytesMax: BURST_BYTES_MAX,
};

/** Counts what leaves within a millisecond. */
export class BurstPace {
  #sinceMs = Number.NEGATIVE_INFINITY;
  #datagrams = 0;
  #bytes = 0;

  /** Whether a datagram may leave now; if so, it counts. @param nowMs never goes back */
  take(bytes: number, nowMs: number): boolean {
    if (nowMs - this.#sinceMs >= BURST_MS) {
      this.#sinceMs = nowMs;
      this.#datagrams = 0;
      this.#bytes = 0;
    }
    const isFull = this.#datagrams >= BURST_DATAGRAMS_MAX || this.#bytes + bytes > BURST_BYTES_MAX;
    // One that is longer than a burst is a burst.
    if (isFull && this.#datagrams > 0) return false;
    this.#datagrams += 1;
    this.#bytes += bytes;
    return true;
  }
}
