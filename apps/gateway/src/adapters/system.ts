import { randomUUID, randomUUIDv7 } from 'node:crypto';

/** The process's clocks and randomness, which everything else is given. */
export interface System {
  /** Milliseconds since 1970. May jump when the system's clock is set. */
  readonly nowMs: () => number;
  /** Milliseconds since an arbitrary start; never goes back. */
  readonly monotonicMs: () => number;
  /** Uniform in [0, 1); for jitter, not for secrets. */
  readonly random: () => number;
  /** A new UUID that sorts by time. */
  readonly newId: () => string;
  /** A new random UUID. */
  readonly newRandomId: () => string;
  /** Calls back once after some milliseconds, unless what it returns is called before. Keeps no process alive. */
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
}

/** Longest time that a timer of Node takes. */
const timerMaxMs = 2 ** 31 - 1;

/** The real ones. */
export const system: System = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  random: () => Math.random(),
  newId: () => randomUUIDv7(),
  newRandomId: () => randomUUID(),
  setTimer: (callback, delayMs) => {
    const timer = setTimeout(callback, Math.min(delayMs, timerMaxMs)).unref();
    return () => clearTimeout(timer);
  },
};
