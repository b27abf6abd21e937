import { randomFillSync } from 'node:crypto';

/** IDs of traces and spans. */
export interface TraceIds {
  /** 32 hexadecimal digits. */
  readonly newTraceId: () => string;
  /** 16 hexadecimal digits. */
  readonly newSpanId: () => string;
}

/**
 * Bytes that are drawn and written as digits at once: a call for each ID would cost more than the ID. An ID is a part of the text that they make
 * and keeps all of it, 1.5 KiB, for as long as it is kept itself: a full queue of a few thousand spans, each of another request, holds some megabytes.
 */
const POOL_BYTES = 768;

/** IDs from the system's generator: nobody guesses the next one. That one is all zeros, which is none, happens never. */
export function randomIds(): TraceIds {
  const pool = Buffer.allocUnsafeSlow(POOL_BYTES);
  let digits = '';
  let used = 0;
  const hex = (length: number): string => {
    if (used + length > digits.length) {
      randomFillSync(pool);
      digits = pool.toString('hex');
      used = 0;
    }
    used += length;
    return digits.slice(used - length, used);
  };
  return { newTraceId: () => hex(32), newSpanId: () => hex(16) };
}
