import { CallerPlaces } from './caller-places.ts';
import { Problem } from './problem.ts';

/** Places for questions that take tenths of a second of the only thread: two at once, and few callers' worth of waiting. Make one for each operation. */
export function questionPlaces(): CallerPlaces {
  return new CallerPlaces({
    runningMax: 2,
    waitingMax: 128,
    waitingPerCallerMax: 32,
    refusal: () => new Problem('unavailable', 'Too many such questions at once', { headers: { 'retry-after': '2' } }),
  });
}
