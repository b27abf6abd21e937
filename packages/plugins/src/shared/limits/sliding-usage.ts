import type { LimitWindow } from './limit-window.ts';
import type { Usage } from './usage.ts';

/**
 * Most moments that are kept of one client and limit. Limits up to here are exact. With higher ones, requests that are closer
 * together than this part of the window share the latest moment among them: never too many pass, and room may come back
 * late by that part, 1/64 of the window.
 */
export const MOMENTS_MAX = 64;

/** `sliding`: what was counted in the window that ends now. At no time do more requests than the limit lie in one window. */
export class SlidingUsage implements Usage {
  readonly #lengthMs: number;
  readonly #resolutionMs: number;
  /** When requests were counted, oldest first, and how many at each moment. */
  readonly #momentsMs: number[] = [];
  readonly #counts: number[] = [];
  #total = 0;
  /** First request of those that share the last moment. */
  #lastBeganMs = 0;

  constructor({ limit, nominalSeconds }: LimitWindow) {
    this.#lengthMs = nominalSeconds * 1000;
    this.#resolutionMs = limit <= MOMENTS_MAX ? 0 : this.#lengthMs / MOMENTS_MAX;
  }

  used(nowMs: number): number {
    this.#forget(nowMs);
    return this.#total;
  }

  count(nowMs: number): void {
    this.#forget(nowMs);
    const last = this.#momentsMs.length - 1;
    const isShared = last >= 0 && (this.#momentsMs[last] === nowMs || nowMs - this.#lastBeganMs < this.#resolutionMs);
    if (isShared) {
      this.#momentsMs[last] = nowMs;
      this.#counts[last] = (this.#counts[last] ?? 0) + 1;
    } else {
      this.#momentsMs.push(nowMs);
      this.#counts.push(1);
      this.#lastBeganMs = nowMs;
    }
    this.#total += 1;
  }

  resetMs(nowMs: number): number {
    this.#forget(nowMs);
    return (this.#momentsMs[0] ?? nowMs) + this.#lengthMs - nowMs;
  }

  isIdle(nowMs: number): boolean {
    return this.used(nowMs) === 0;
  }

  /** A request counts for the window's length: at its end it does not any more. */
  #forget(nowMs: number): void {
    const lastForgottenMs = nowMs - this.#lengthMs;
    let oldest = this.#momentsMs[0];
    while (oldest !== undefined && oldest <= lastForgottenMs) {
      this.#momentsMs.shift();
      this.#total -= this.#counts.shift() ?? 0;
      oldest = this.#momentsMs[0];
    }
  }
}
