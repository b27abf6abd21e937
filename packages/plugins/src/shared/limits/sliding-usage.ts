import type { MomentBudget } from './moment-budget.ts';
import type { Usage } from './usage.ts';

/**
 * Most moments that are kept of one client and window. All limits up to here are exact, and all windows up to as many milliseconds
 * whatever their limit. Beyond, moments within 1/8192 of the window become one, the latest of them.
 */
export const MOMENTS_PER_USAGE_MAX = 65_536;

/** Parts of a window in which moments become one: of a client that has too many, and of all when the budget is spent. */
export const FINE_PARTS = 8192;
export const ROUGH_PARTS = 32;

/** Moments that a client keeps whatever the others hold. At least twice what becoming rough leaves, so that it is rare. */
const MOMENTS_ALWAYS = 2 * ROUGH_PARTS;

/** Entries of the log that may be over before they are taken out. */
const OVER_MAX = 128;

/**
 * `sliding`: what was counted in the window that ends now. At no time do more units than the limit lie in one window. Where
 * moments become one they count as long as the latest of them: never too many pass, and room comes back late by less
 * than that part of the window.
 */
export class SlidingUsage implements Usage {
  readonly #lengthMs: number;
  readonly #budget: MomentBudget;
  /** By turns a moment and the sum of all units up to it, oldest first. To make two moments one is to leave out the earlier. */
  readonly #log: number[] = [];
  /** Where what counts begins in the log, and the sum before it. */
  #head = 0;
  #sumBefore = 0;

  constructor(lengthMs: number, budget: MomentBudget) {
    this.#lengthMs = lengthMs;
    this.#budget = budget;
  }

  used(nowMs: number): number {
    this.#forget(nowMs);
    return this.#sum() - this.#sumBefore;
  }

  count(nowMs: number, units: number): void {
    this.#forget(nowMs);
    const log = this.#log;
    const sum = this.#sum() + units;
    if (log.length > this.#head && log[log.length - 2] === nowMs) {
      log[log.length - 1] = sum;
      return;
    }
    const moments = (log.length - this.#head) / 2;
    if (moments >= MOMENTS_PER_USAGE_MAX) this.#merge(this.#lengthMs / FINE_PARTS);
    else if (moments >= MOMENTS_ALWAYS && this.#budget.isSpent) this.#merge(this.#lengthMs / ROUGH_PARTS);
    log.push(nowMs, sum);
    this.#budget.take(1);
  }

  resetMs(nowMs: number): number {
    this.#forget(nowMs);
    return (this.#log[this.#head] ?? nowMs) + this.#lengthMs - nowMs;
  }

  waitMs(nowMs: number, usedMax: number): number {
    this.#forget(nowMs);
    const log = this.#log;
    if (log.length === this.#head) return this.#lengthMs;
    const sumOver = this.#sum() - usedMax;
    // The first moment up to which enough is over; when even the last is not enough, the last.
    let low = this.#head / 2;
    let high = log.length / 2 - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((log[2 * middle + 1] as number) >= sumOver) high = middle;
      else low = middle + 1;
    }
    return (log[2 * low] as number) + this.#lengthMs - nowMs;
  }

  isIdle(nowMs: number): boolean {
    this.#forget(nowMs);
    return this.#log.length === this.#head;
  }

  drop(): void {
    this.#budget.take((this.#head - this.#log.length) / 2);
    this.#log.length = 0;
    this.#head = 0;
  }

  #sum(): number {
    return this.#log.length === this.#head ? this.#sumBefore : (this.#log[this.#log.length - 1] as number);
  }

  /** A unit counts for the window's length: at its end it does not any more. */
  #forget(nowMs: number): void {
    const log = this.#log;
    const lastForgottenMs = nowMs - this.#lengthMs;
    const before = this.#head;
    let head = before;
    while (head < log.length && (log[head] as number) <= lastForgottenMs) head += 2;
    if (head === before) return;
    this.#budget.take((before - head) / 2);
    this.#sumBefore = log[head - 1] as number;
    this.#head = head;
    if (head === log.length) {
      log.length = 0;
      this.#head = 0;
    } else if (head >= OVER_MAX && head * 2 >= log.length) {
      log.splice(0, head);
      this.#head = 0;
    }
  }

  /** Leaves the latest moment of each part. Parts lie where they lie, however often it is done: nothing becomes later twice. */
  #merge(partMs: number): void {
    const log = this.#log;
    const before = log.length - this.#head;
    let write = 0;
    for (let read = this.#head; read < log.length; read += 2) {
      const momentMs = log[read] as number;
      const isLast =
        read + 2 === log.length || Math.floor((log[read + 2] as number) / partMs) !== Math.floor(momentMs / partMs);
      if (!isLast) continue;
      log[write] = momentMs;
      log[write + 1] = log[read + 1] as number;
      write += 2;
    }
    log.length = write;
    this.#head = 0;
    this.#budget.take((write - before) / 2);
  }
}
