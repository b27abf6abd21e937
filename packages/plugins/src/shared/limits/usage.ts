import type { LimitWindow } from './limit-window.ts';

/** What one client has used of one limit. Moments are milliseconds that never go back. */
export interface Usage {
  /** Requests that count at this moment. */
  used(nowMs: number): number;
  /** Counts one request. Call it only when there is room. */
  count(nowMs: number): void;
  /** Milliseconds until requests stop counting: all of them with `fixed`, the oldest with `sliding`. More than 0. */
  resetMs(nowMs: number): number;
  /** Whether nothing counts any more, so that forgetting the client changes nothing. */
  isIdle(nowMs: number): boolean;
}

/** `fixed`: the count of the window that is now; the next window begins at zero. */
export class FixedUsage implements Usage {
  readonly #window: LimitWindow;
  #startMs = 0;
  #count = 0;

  constructor(window: LimitWindow) {
    this.#window = window;
  }

  used(nowMs: number): number {
    return this.isIdle(nowMs) ? 0 : this.#count;
  }

  count(nowMs: number): void {
    this.#count = this.used(nowMs) + 1;
    this.#startMs = this.#window.startMs;
  }

  resetMs(nowMs: number): number {
    this.#window.moveTo(nowMs);
    return this.#window.endMs - nowMs;
  }

  isIdle(nowMs: number): boolean {
    this.#window.moveTo(nowMs);
    return this.#count === 0 || this.#startMs !== this.#window.startMs;
  }
}
