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
}

/** The real ones. */
export const system: System = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  random: () => Math.random(),
  newId: () => randomUUIDv7(),
  newRandomId: () => randomUUID(),
};
