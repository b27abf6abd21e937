import type { Clock, HostLog } from '../services.ts';
import type { Timers } from '../timers.ts';

/** The process's own clocks. */
export const systemClock: Clock = {
  nowMs: () => new Date().getTime(),
  monotonicMs: () => performance.now(),
};

/** The event loop's timers. They do not keep a process alive. */
export const systemTimers: Timers = {
  set: (callback, delayMs) => {
    const handle: unknown = setTimeout(callback, delayMs);
    if (canUnref(handle)) handle.unref();
    return handle;
  },
  clear: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

/** A log for embedders that did not pass one: it forgets. */
export const silentLog: HostLog = { warn: () => undefined, error: () => undefined };

/** Uniform in [0, 1), from the platform's secure generator. */
export function systemRandom(): number {
  const [word = 0] = crypto.getRandomValues(new Uint32Array(1));
  return word / 2 ** 32;
}

/** A random UUID (version 4). */
export function systemId(): string {
  return crypto.randomUUID();
}

/** Node's timers are objects with `unref`; other platforms' are numbers. */
function canUnref(handle: unknown): handle is { unref(): void } {
  return typeof handle === 'object' && handle !== null && 'unref' in handle;
}
