/** Options of `FakeClock`. */
export interface FakeClockOptions {
  /** Wall clock at the start, epoch milliseconds. Default 2026-01-01T00:00:00Z. */
  readonly nowMs?: number;
  /** Monotonic clock at the start, milliseconds. Default 0: differs from the wall clock, so that mixing them shows. */
  readonly monotonicMs?: number;
}

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
}

/**
 * A clock that moves only when told. It has `nowMs()` and `monotonicMs()` as every `Clock` port of this repository, and
 * timers (`setTimer`) that fire inside `advance`, in the order of their due times.
 */
export class FakeClock {
  #wallMs: number;
  #monotonicMs: number;
  #order = 0;
  readonly #timers = new Map<number, Timer>();

  constructor(options: FakeClockOptions = {}) {
    this.#wallMs = options.nowMs ?? Date.UTC(2026, 0, 1);
    this.#monotonicMs = options.monotonicMs ?? 0;
  }

  /** Wall clock, epoch milliseconds. A bound property, so that it can be passed on by itself. */
  readonly nowMs = (): number => this.#wallMs;

  /** Monotonic clock, milliseconds since an arbitrary start; never goes back, also when `setWall` does. */
  readonly monotonicMs = (): number => this.#monotonicMs;

  /** How many timers wait. For "leaves no timer behind" tests. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Moves both clocks forward and fires every timer that falls due, also those that fired timers set. */
  advance(milliseconds: number): void {
    if (!(milliseconds >= 0)) throw new RangeError(`a clock advances by 0 ms or more, not ${milliseconds}`);
    const targetMs = this.#monotonicMs + milliseconds;
    for (let timer = this.#nextDue(targetMs); timer !== undefined; timer = this.#nextDue(targetMs)) {
      this.#moveTo(Math.max(timer.dueMs, this.#monotonicMs));
      this.#timers.delete(timer.order);
      timer.callback();
    }
    this.#moveTo(targetMs);
  }

  /** Steps the wall clock alone, forward or back, as an operator or NTP would. Timers do not move. */
  setWall(epochMs: number): void {
    this.#wallMs = epochMs;
  }

  /** Calls back once after `delayMs` of `advance`; the function that comes back cancels it and may be called twice. */
  readonly setTimer = (callback: () => void, delayMs: number): (() => void) => {
    const order = (this.#order += 1);
    this.#timers.set(order, { dueMs: this.#monotonicMs + Math.max(0, delayMs), order, callback });
    return () => {
      this.#timers.delete(order);
    };
  };

  #moveTo(monotonicMs: number): void {
    this.#wallMs += monotonicMs - this.#monotonicMs;
    this.#monotonicMs = monotonicMs;
  }

  #nextDue(targetMs: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers.values()) {
      if (timer.dueMs <= targetMs && (next === undefined || timer.dueMs < next.dueMs)) next = timer;
    }
    return next;
  }
}
