import type { Exchange } from '@portcullis/plugin-runtime';

/** Where `correlation_id` leaves the ID for the records of the same request. */
const KEY = 'correlation_id:id';

/** Leaves the ID that a request was given, or kept. */
export function noteCorrelationId({ state }: Exchange, id: string): void {
  state.set(KEY, id);
}

/** The ID that was left; `undefined` where there is none. */
export function notedCorrelationId({ state }: Exchange): string | undefined {
  const id = state.get(KEY);
  return typeof id === 'string' ? id : undefined;
}
