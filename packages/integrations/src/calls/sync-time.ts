import type { SyncClock } from '../driver.ts';
import { IntegrationError } from '../integration-error.ts';

/** The time of one sync: one signal for everything in it. */
export class SyncTime {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #cancelTimer: () => void;
  readonly #endsAtMs: number;
  readonly #clock: SyncClock;

  /** @param outer the caller's */
  constructor(timeoutMs: number, clock: SyncClock, outer: AbortSignal | undefined) {
    this.#clock = clock;
    this.#endsAtMs = clock.nowMs() + timeoutMs;
    this.#outer = outer;
    const setTimer = clock.setTimer?.bind(clock) ?? runtimeTimer;
    const over = new IntegrationError('timeout', `the system did not answer within ${timeoutMs} ms`);
    this.#cancelTimer = setTimer(() => this.#controller.abort(over), timeoutMs);
    outer?.addEventListener('abort', this.#onOuterAbort);
    if (outer?.aborted === true) this.#onOuterAbort();
  }

  /** Fires with an `IntegrationError`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What is left, in milliseconds: at least 1. A guess where the wall clock was set meanwhile; the signal is none. */
  get leftMs(): number {
    return Math.max(1, Math.ceil(this.#endsAtMs - this.#clock.nowMs()));
  }

  /** What `work` gives, or the signal's reason if that comes first: also where a host passes over the signal. */
  async race<Result>(work: Promise<Result>): Promise<Result> {
    const { signal } = this;
    let onAbort: (() => void) | undefined;
    const over = new Promise<never>((_resolve, reject) => {
      onAbort = () => reject(signal.reason as Error);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort);
    });
    try {
      return await Promise.race([work, over]);
    } finally {
      if (onAbort) signal.removeEventListener('abort', onAbort);
    }
  }

  /** Leaves no timer and no listener behind. What is still under way is cut. */
  end(): void {
    this.#cancelTimer();
    this.#outer?.removeEventListener('abort', this.#onOuterAbort);
    this.#controller.abort(new IntegrationError('aborted', 'the sync is over'));
  }

  readonly #onOuterAbort = (): void => {
    this.#controller.abort(new IntegrationError('aborted', 'the sync was ended before it was done'));
  };
}

function runtimeTimer(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}
