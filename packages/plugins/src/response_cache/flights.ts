/** Requests of one store that may wait for another's answer; below the runtime's `max_concurrency` (32), at which it would skip the cache. */
export const WAITING_MAX = 24;

/** How long a request waits for another's answer, in milliseconds; below the runtime's `timeout_ms` (5000). */
export const WAIT_MS = 2000;

/** Calls back after a while; what it returns cancels that. */
export type SetTimer = (callback: () => void, delayMs: number) => () => void;

/** The process's timers. */
export const realTimer: SetTimer = (callback, delayMs) => {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
};

/** A request whose answer others wait for. */
export interface Flight {
  /** Lets those who wait go on, whatever came of it. Safe to call twice. */
  land(): void;
}

/** Requests to the service that are under way, by what they ask for: of many that want the same, one asks. */
export class Flights {
  readonly #setTimer: SetTimer;
  readonly #waiters = new Map<string, Set<() => void>>();
  #waiting = 0;

  constructor(setTimer: SetTimer = realTimer) {
    this.#setTimer = setTimer;
  }

  /** Requests that wait now. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether somebody asks for this already. */
  has(kind: string): boolean {
    return this.#waiters.has(kind);
  }

  /** Says that this request asks; `undefined` when another does. */
  begin(kind: string): Flight | undefined {
    if (this.#waiters.has(kind)) return undefined;
    const waiters = new Set<() => void>();
    this.#waiters.set(kind, waiters);
    return {
      land: () => {
        if (this.#waiters.get(kind) !== waiters) return;
        this.#waiters.delete(kind);
        for (const goOn of waiters) goOn();
      },
    };
  }

  /**
   * Resolves when the request that asks has its answer or is over, or after {@link WAIT_MS}. `undefined` when there is none to wait
   * for, or too many wait.
   */
  wait(kind: string): Promise<void> | undefined {
    const waiters = this.#waiters.get(kind);
    if (waiters === undefined || this.#waiting >= WAITING_MAX) return undefined;
    this.#waiting += 1;
    return new Promise((resolve) => {
      const goOn = (): void => {
        if (!waiters.delete(goOn)) return;
        cancel();
        this.#waiting -= 1;
        resolve();
      };
      const cancel = this.#setTimer(goOn, WAIT_MS);
      waiters.add(goOn);
    });
  }
}
