import { AnswerStoreError } from '../answer-store.ts';

/** What a driver's error becomes. Its message stays behind: it may hold addresses and values. */
export function unavailable(error: unknown): AnswerStoreError {
  if (error instanceof AnswerStoreError) return error;
  return new AnswerStoreError('unavailable', 'the store of cached answers does not answer', { cause: error });
}

/** A search that would need a vector index. */
export function noIndex(cause?: unknown): AnswerStoreError {
  const message = 'there is no vector index for these vectors, and allow_scan_fallback is off';
  return new AnswerStoreError('no_index', message, cause === undefined ? {} : { cause });
}
