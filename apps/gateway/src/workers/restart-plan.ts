/** A worker that lived this long was sound: the next pause is the first one again. */
export const soundMs = 30_000;

const firstPauseMs = 100;
const longestPauseMs = 10_000;

/** How long to wait before a worker that ended is started again: longer each time while it does not last. */
export class RestartPlan {
  #pauseMs = firstPauseMs;

  /** @param livedMs how long the worker that ended was there */
  pauseAfter(livedMs: number): number {
    if (livedMs >= soundMs) this.#pauseMs = firstPauseMs;
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(longestPauseMs, pauseMs * 2);
    return pauseMs;
  }
}
