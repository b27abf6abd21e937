import type { Clock } from '../services.ts';
import type { Timers } from '../timers.ts';

interface Waiting {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** A clock with timers that moves only when told, so that a test of a time-out takes no time. */
export class HandClock implements Clock, Timers {
  #wallMs: number;
  #monotonicMs = 0;
  readonly #waiting = new Set<Waiting>();

  /** @param nowMs the wall clock at the start, milliseconds since 1970; default 2026-01-01 */
  constructor(nowMs: number = Date.UTC(2026, 0, 1)) {
    this.#wallMs = nowMs;
  }

  nowMs(): number {
    return this.#wallMs;
  }

  /** Begins at 0: what mixes it up with the wall clock shows. */
  monotonicMs(): number {
    return this.#monotonicMs;
  }

  /** How many timers wait. */
  get pendingTimers(): number {
    return this.#waiting.size;
  }

  set(callback: () => void, delayMs: number): unknown {
    const timer = { dueMs: this.#monotonicMs + Math.max(0, delayMs), callback };
    this.#waiting.add(timer);
    return timer;
  }

  clear(handle: unknown): void {
    this.#waiting.delete(handle as Waiting);
  }

  /**
   * Moves both clocks forward. Timers that fall due meanwhile call back in the order of their times.
   * @throws RangeError for less than 0
   */
  advance(milliseconds: number): void {
    if (!(milliseconds >= 0)) throw new RangeError('a clock goes forward by 0 ms or more');
    const endMs = this.#monotonicMs + milliseconds;
    for (let timer = this.#nextUntil(endMs); timer !== undefined; timer = this.#nextUntil(endMs)) {
      this.#waiting.delete(timer);
      this.#moveTo(Math.max(timer.dueMs, this.#monotonicMs));
      timer.callback();
    }
    this.#moveTo(endMs);
  }

  /** Sets the wall clock alone, as an operator does. Durations and timers do not notice. */
  setWall(nowMs: number): void {
    this.#wallMs = nowMs;
  }

  #moveTo(monotonicMs: number): void {
    this.#wallMs += monotonicMs - this.#monotonicMs;
    this.#monotonicMs = monotonicMs;
  }

  #nextUntil(endMs: number): Waiting | undefined {
    let next: Waiting | undefined;
    for (const timer of this.#waiting) {
      if (timer.dueMs <= endMs && (next === undefined || timer.dueMs < next.dueMs)) next = timer;
    }
    return next;
  }
}
