import type { Clock } from '@portcullis/plugin-runtime';

/**
 * Time for windows, in milliseconds since 1970: right when it is made, and from then on it only goes forward. An operator
 * or time service that sets the system's clock gives nobody a new window and takes nobody's away.
 */
export function calendarClock(clock: Clock): () => number {
  const startMs = clock.nowMs() - clock.monotonicMs();
  return () => Math.floor(startMs + clock.monotonicMs());
}
