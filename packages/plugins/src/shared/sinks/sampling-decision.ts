import type { Exchange } from '@portcullis/plugin-runtime';

/** Where `sampling` leaves its decision for the emitters of the same request. */
const KEY = 'sampling:decision';

/** Leaves the decision. */
export function noteSampled({ state }: Exchange, isSampled: boolean): void {
  state.set(KEY, isSampled);
}

/** Whether records of this request are wanted: always where nobody decided. */
export function isSampled({ state }: Exchange): boolean {
  return state.get(KEY) !== false;
}
