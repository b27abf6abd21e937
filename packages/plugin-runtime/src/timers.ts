/** How the runtime waits. Only a hook that returns a promise costs a timer. Tests pass timers that move by hand. */
export interface Timers {
  /** Calls back once after `delayMs` milliseconds. What comes back is the handle for {@link Timers.clear}. */
  set(callback: () => void, delayMs: number): unknown;
  /** Forgets a timer. Safe for one that has fired. */
  clear(handle: unknown): void;
}
