import { randomFillSync } from 'node:crypto';

/** IDs of traces and spans. */
export interface TraceIds {
  /** 32 hexadecimal digits. */
  readonly newTraceId: () => string;
  /** 16 hexadecimal digits. */
  readonly newSpanId: () => string;
}

/** Bytes that are drawn at once: one call of the system's generator for some hundred IDs. */
const POOL_BYTES = 8192;

/** IDs from the system's generator: nobody guesses the next one. That one is all zeros, which is none, happens never. */
export function randomIds(): TraceIds {
  const pool = Buffer.allocUnsafeSlow(POOL_BYTES);
  let used = POOL_BYTES;
  const hex = (bytes: number): string => {
    if (used + bytes > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    used += bytes;
    return pool.toString('hex', used - bytes, used);
  };
  return { newTraceId: () => hex(16), newSpanId: () => hex(8) };
}
