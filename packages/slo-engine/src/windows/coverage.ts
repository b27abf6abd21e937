import { nearestNumber } from '../arithmetic/nearest-number.ts';

/**
 * The share of a window for which observations can exist: from the moment since when they are kept, or since when somebody
 * could have sent any, to the end of the window. It does not say that every request was observed.
 * @param window whole milliseconds since 1970
 * @param sinceMs the later of the two moments; `undefined` when there is none: nothing is covered
 * @returns 0 to 100, rounded once
 */
export function coveragePercent(window: { fromMs: number; toMs: number }, sinceMs: number | undefined): number {
  const { fromMs, toMs } = window;
  if (sinceMs === undefined || sinceMs >= toMs || fromMs >= toMs) return 0;
  const covered = toMs - Math.max(fromMs, Math.ceil(sinceMs));
  return nearestNumber({ numerator: BigInt(covered) * 100n, denominator: BigInt(toMs - fromMs) });
}
