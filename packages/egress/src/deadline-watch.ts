import { monotonicMs } from './adapters/monotonic-clock.ts';
import { type Placed, PlacedItems } from './placed-items.ts';

/** Something that must have moved on by a certain moment. */
export interface Watched extends Placed {
  /** Moment on the monotonic clock, in milliseconds. */
  readonly deadlineMs: number;
  expire(): void;
}

/**
 * Expires what missed its deadline. One timer for all, running only while there is something to watch: to move a deadline is to write a
 * number, however often bytes come.
 */
export class DeadlineWatch {
  readonly #sweepMs: number;
  readonly #watched = new PlacedItems<Watched>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param sweepMs how late a deadline may be noticed */
  constructor(sweepMs: number) {
    this.#sweepMs = sweepMs;
  }

  add(watched: Watched): void {
    this.#watched.add(watched);
    this.#timer ??= setInterval(() => this.#sweep(), this.#sweepMs).unref();
  }

  delete(watched: Watched): void {
    this.#watched.delete(watched);
  }

  #sweep(): void {
    // The timer of what is over lives on until here: one call after the other would otherwise make a timer each.
    if (this.#watched.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const nowMs = monotonicMs();
    this.#watched.forEach((watched) => {
      if (watched.deadlineMs <= nowMs) watched.expire();
    });
  }
}
