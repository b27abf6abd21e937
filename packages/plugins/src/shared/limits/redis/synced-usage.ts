import type { LimitWindow } from '../limit-window.ts';

/** What one client has used of one window: what the store last said, and what this process has let through since. Constant in size. */
export class SyncedUsage {
  readonly #window: LimitWindow;
  readonly #isSliding: boolean;
  #total = 0;
  /** On its way to the store. */
  #sent = 0;
  #untold = 0;
  /** Beginning of a fixed window by the store's clock. */
  #startMs = 0;
  /** End of a fixed window by the own clock; with `sliding`, when the store's count becomes less than a limit that is reached, or less at all. */
  #untilMs = Number.POSITIVE_INFINITY;

  constructor(window: LimitWindow, isSliding: boolean) {
    this.#window = window;
    this.#isSliding = isSliding;
  }

  /** Whether the store was not told of something. */
  get hasUntold(): boolean {
    return this.#untold > 0;
  }

  /** Units that count, as far as is known. @param aheadMs the store's clock less the own one */
  used(nowMs: number, aheadMs: number): number {
    if (!this.#isSliding && nowMs >= this.#untilMs) {
      const window = this.#window;
      window.moveTo(nowMs + aheadMs);
      this.#startMs = window.startMs;
      this.#untilMs = window.endMs - aheadMs;
      this.#total = this.#sent = this.#untold = 0;
    }
    return this.#total + this.#sent + this.#untold;
  }

  count(): void {
    this.#untold += 1;
  }

  /** Whether the store could say something else about a limit that is reached. */
  isDoubtful(nowMs: number): boolean {
    return this.#untold > 0 || nowMs >= this.#untilMs;
  }

  /** Milliseconds until there is more room, at the latest. More than 0. */
  waitMs(nowMs: number): number {
    const leftMs = this.#untilMs - nowMs;
    return leftMs > 0 && Number.isFinite(leftMs) ? leftMs : this.#window.nominalSeconds * 1000;
  }

  /** What is to be told, once: it is on its way then. */
  send(): readonly [startMs: number, units: number] {
    this.#sent = this.#untold;
    this.#untold = 0;
    return [this.#startMs, this.#sent];
  }

  /** Takes in what the store says, all that was sent included. @param stopMs by the store's clock, as the other two moments */
  hear(units: number, startMs: number, stopMs: number, aheadMs: number): void {
    // A window ended while the answer was on its way: it speaks of the one before.
    if (!this.#isSliding && stopMs === this.#startMs) return;
    // What was counted since the call belongs to a window that is over by the store's clock.
    if (startMs > this.#startMs) this.#untold = 0;
    this.#total = units;
    this.#sent = 0;
    this.#startMs = startMs;
    this.#untilMs = stopMs - aheadMs;
  }
}
