import type { LimitWindow } from './limit-window.ts';

/** What one client has used of one window. Moments are milliseconds that never go back; units are whole and at least 1. */
export interface Usage {
  /** Units that count at this moment. */
  used(nowMs: number): number;
  /** Counts units, whether there is room or not. */
  count(nowMs: number, units: number): void;
  /** Milliseconds until units stop counting: all of them with `fixed`, the oldest with `sliding`. More than 0. */
  resetMs(nowMs: number): number;
  /** Milliseconds until no more than `usedMax` units count; more do now. More than 0. */
  waitMs(nowMs: number, usedMax: number): number;
  /** Whether nothing counts any more, so that forgetting the client changes nothing. */
  isIdle(nowMs: number): boolean;
  /** Gives back what it holds of a budget that all clients share. Nobody uses it afterwards. */
  drop(): void;
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

  count(nowMs: number, units: number): void {
    this.#count = this.used(nowMs) + units;
    this.#startMs = this.#window.startMs;
  }

  resetMs(nowMs: number): number {
    this.#window.moveTo(nowMs);
    return this.#window.endMs - nowMs;
  }

  waitMs(nowMs: number): number {
    return this.resetMs(nowMs);
  }

  isIdle(nowMs: number): boolean {
    this.#window.moveTo(nowMs);
    return this.#count === 0 || this.#startMs !== this.#window.startMs;
  }

  drop(): void {
    this.#count = 0;
  }
}
