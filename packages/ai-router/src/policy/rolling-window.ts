/** Moments that one window keeps as they were. Limits up to here are exact. */
export const MOMENTS_PER_WINDOW_MAX = 1024;

/** Moments that all windows of a process keep beyond the few that each may keep; 16 bytes each. */
export const MOMENTS_MAX: number = 2 ** 20;

/** Parts of a window in which moments become one where there are too many: in this window, or in all. */
const FINE_PARTS = 1024;
const ROUGH_PARTS = 32;

/** How many more moments may be kept. */
export interface MomentBudget {
  left: number;
}

/**
 * Requests in the window that ends now. Where moments become one, they count as long as the latest of them: never too many pass, and room comes
 * back late by less than such a part. Moments never go back.
 */
export class RollingWindow {
  readonly #budget: MomentBudget;
  #moments: number[] = [];
  #counts: number[] = [];
  /** Where those begin that still count. */
  #head = 0;
  #total = 0;

  constructor(budget: MomentBudget) {
    this.#budget = budget;
  }

  /** Requests that count now. */
  used(nowMs: number, lengthMs: number): number {
    this.#forget(nowMs - lengthMs);
    return this.#total;
  }

  count(nowMs: number, lengthMs: number): void {
    this.#forget(nowMs - lengthMs);
    this.#total += 1;
    const last = this.#moments.length - 1;
    if (last >= this.#head && this.#isOne(this.#moments[last] as number, nowMs, lengthMs)) {
      this.#moments[last] = nowMs;
      this.#counts[last] = (this.#counts[last] as number) + 1;
      return;
    }
    this.#moments.push(nowMs);
    this.#counts.push(1);
    this.#budget.left -= 1;
  }

  /** Milliseconds until nothing of what is counted counts any more. */
  resetMs(nowMs: number, lengthMs: number): number {
    return Math.max(0, (this.#moments.at(-1) ?? nowMs - lengthMs) + lengthMs - nowMs);
  }

  /** Milliseconds until at most so many count. */
  waitMs(nowMs: number, lengthMs: number, usedMax: number): number {
    let left = this.#total;
    let at = this.#head;
    while (at < this.#moments.length - 1) {
      left -= this.#counts[at] as number;
      if (left <= usedMax) break;
      at += 1;
    }
    return Math.max(0, (this.#moments[at] ?? nowMs - lengthMs) + lengthMs - nowMs);
  }

  /** Gives back what it keeps of the moments that all windows may keep. */
  drop(): void {
    this.#budget.left += this.#moments.length - this.#head;
    this.#moments = [];
    this.#counts = [];
    this.#head = 0;
    this.#total = 0;
  }

  #isOne(lastMs: number, nowMs: number, lengthMs: number): boolean {
    if (lastMs === nowMs) return true;
    const kept = this.#moments.length - this.#head;
    const isRough = this.#budget.left <= 0 && kept >= ROUGH_PARTS;
    if (!isRough && kept < MOMENTS_PER_WINDOW_MAX) return false;
    const partMs = lengthMs / (isRough ? ROUGH_PARTS : FINE_PARTS);
    return Math.floor(lastMs / partMs) === Math.floor(nowMs / partMs);
  }

  #forget(overMs: number): void {
    let head = this.#head;
    while (head < this.#moments.length && (this.#moments[head] as number) <= overMs) {
      this.#total -= this.#counts[head] as number;
      head += 1;
    }
    this.#budget.left += head - this.#head;
    this.#head = head;
    // Half of what is held is over: to copy the rest costs no more than it took to count what goes.
    if (head >= ROUGH_PARTS && head * 2 >= this.#moments.length) {
      this.#moments = this.#moments.slice(head);
      this.#counts = this.#counts.slice(head);
      this.#head = 0;
    }
  }
}
