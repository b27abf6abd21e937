/** A number of events: a whole number from 0 on. As a number it is at most 2^53 − 1. */
export type EventCount = number | bigint;

/** The least and the most that a number of events can be. */
export type CountBounds = readonly [least: EventCount, most: EventCount];

/**
 * How many events a window has. Bounds are given where the counts are not exact: they contain the truth. Without bounds of the good
 * events these follow from the others.
 */
export interface EventCounts {
  readonly total_events: EventCount;
  readonly bad_events: EventCount;
  readonly total_events_bounds?: CountBounds | undefined;
  readonly bad_events_bounds?: CountBounds | undefined;
  readonly good_events_bounds?: CountBounds | undefined;
}

/** Counts with all their bounds. */
export interface BoundedCounts {
  readonly total: bigint;
  readonly bad: bigint;
  readonly totalBounds: readonly [bigint, bigint];
  readonly badBounds: readonly [bigint, bigint];
  readonly goodBounds: readonly [bigint, bigint];
  /** No bound leaves anything open. */
  readonly exact: boolean;
}

/**
 * Reads counts and fills in the bounds that were not given.
 * @throws RangeError for counts that are no whole numbers, contradict each other or lie outside their bounds
 */
export function readCounts(counts: EventCounts): BoundedCounts {
  const total = readCount(counts.total_events);
  const bad = readCount(counts.bad_events);
  if (bad > total) throw new RangeError('There cannot be more bad events than events.');
  const totalBounds = readBounds(counts.total_events_bounds, total);
  const badBounds = readBounds(counts.bad_events_bounds, bad);
  const [totalLeast, totalMost] = totalBounds;
  const [badLeast, badMost] = badBounds;
  const rest = (all: bigint, part: bigint): bigint => (all > part ? all - part : 0n);
  const goodBounds =
    counts.good_events_bounds === undefined
      ? ([rest(totalLeast, badMost), rest(totalMost, badLeast)] as const)
      : readBounds(counts.good_events_bounds, total - bad);
  const exact = [totalBounds, badBounds, goodBounds].every(([least, most]) => least === most);
  return { total, bad, totalBounds, badBounds, goodBounds, exact };
}

function readBounds(bounds: CountBounds | undefined, count: bigint): readonly [bigint, bigint] {
  if (bounds === undefined) return [count, count];
  const [least, most] = [readCount(bounds[0]), readCount(bounds[1])];
  if (least > count || count > most) throw new RangeError('Bounds of a number of events must contain it.');
  return [least, most];
}

function readCount(count: EventCount): bigint {
  const isCount = typeof count === 'bigint' ? count >= 0n : Number.isSafeInteger(count) && count >= 0;
  if (!isCount) throw new RangeError('A number of events must be a whole number from 0 to 2^53 - 1, or a bigint.');
  return BigInt(count);
}
