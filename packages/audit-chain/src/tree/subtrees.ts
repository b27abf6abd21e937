import { nodeHash } from './hashes.ts';

/**
 * Gives the root of a perfect subtree: the one over the leaves `position * 2^level` to `(position + 1) * 2^level - 1`.
 * Level 0 is a leaf. Only subtrees that are complete at the size asked for are read.
 */
export type ReadSubtree = (level: number, position: number) => Promise<string>;

/** Leaves from `start` up to but without `end`. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/** The largest power of two that is less than the count. Source: RFC 6962, 2.1. */
export function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

/** The root over a range whose start is a multiple of the power of two that covers it. */
export async function rangeRoot(range: LeafRange, read: ReadSubtree): Promise<string> {
  const count = range.end - range.start;
  const split = splitOf(count);
  if (count === 1) return read(0, range.start);
  if (split * 2 === count) return read(Math.log2(count), range.start / count);
  const [left, right] = await Promise.all([
    rangeRoot({ start: range.start, end: range.start + split }, read),
    rangeRoot({ start: range.start + split, end: range.end }, read),
  ]);
  return nodeHash(left, right);
}
