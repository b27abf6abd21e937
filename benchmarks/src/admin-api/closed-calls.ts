import { quantile } from '../figures/quantile.ts';

/** What calls took that were made one after the other by each of some callers. */
export interface CallTimes {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * Makes calls numbered from 0: each caller makes its next one when it has its answer.
 * @param concurrency callers
 * @throws whatever a call throws: a benchmark of failures is of no use
 */
export async function closedCalls(
  count: number,
  concurrency: number,
  call: (index: number) => Promise<unknown>,
): Promise<CallTimes> {
  const latenciesMs = new Float64Array(count);
  let begun = 0;
  const caller = async (): Promise<void> => {
    while (begun < count) {
      const index = begun++;
      const sentMs = performance.now();
      await call(index);
      latenciesMs[index] = performance.now() - sentMs;
    }
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: concurrency }, caller));
  const seconds = (performance.now() - startMs) / 1000;
  return {
    perSecond: count / seconds,
    p50Ms: quantile(latenciesMs, 0.5) ?? 0,
    p99Ms: quantile(latenciesMs, 0.99) ?? 0,
  };
}
