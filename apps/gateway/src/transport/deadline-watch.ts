/** Something that must have moved on by a certain moment. */
export interface Watched {
  /** Moment on the monotonic clock, in milliseconds. */
  readonly deadlineMs: number;
  expire(): void;
}

/** How late a deadline may be noticed. */
const sweepMs = 100;

/** Expires what missed its deadline. One timer for all, running only while there is something to watch. */
export class DeadlineWatch {
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;

  add(watched: Watched): void {
    this.#watched.add(watched);
    this.#timer ??= setInterval(() => this.#sweep(), sweepMs).unref();
  }

  delete(watched: Watched): void {
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #sweep(): void {
    const nowMs = performance.now();
    for (const watched of [...this.#watched]) if (watched.deadlineMs <= nowMs) watched.expire();
  }
}
