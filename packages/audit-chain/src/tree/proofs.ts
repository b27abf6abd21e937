import { rangeRoot, splitOf, type LeafRange, type ReadSubtree } from './subtrees.ts';

/**
 * Hashes that lead from the leaf at `index` (0 for the first record) to the root of the tree of that size, lowest first.
 * Throws a RangeError unless 0 <= index < size. Source: RFC 6962, 2.1.1.
 */
export async function inclusionProof(index: number, size: number, read: ReadSubtree): Promise<readonly string[]> {
  if (!isCount(index) || !isCount(size) || index >= size) throw new RangeError(`no leaf ${index} in a tree of ${size}`);
  const ranges: LeafRange[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    ranges.push(index < middle ? { start: middle, end } : { start, end: middle });
    if (index < middle) end = middle;
    else start = middle;
  }
  return Promise.all(ranges.toReversed().map((range) => rangeRoot(range, read)));
}

/**
 * Hashes that show that the tree of size `from` is the beginning of the tree of size `to`, lowest first. Empty for equal
 * sizes. Throws a RangeError unless 1 <= from <= to. Source: RFC 6962, 2.1.2.
 */
export async function consistencyProof(from: number, to: number, read: ReadSubtree): Promise<readonly string[]> {
  if (!isCount(from) || !isCount(to) || from < 1 || from > to) throw new RangeError(`no proof from ${from} to ${to}`);
  const ranges: LeafRange[] = [];
  let [start, end] = [0, to];
  while (end !== from) {
    const middle = start + splitOf(end - start);
    ranges.push(from <= middle ? { start: middle, end } : { start, end: middle });
    if (from <= middle) end = middle;
    else start = middle;
  }
  // What both trees have whole from their first leaf is the older root itself, which the verifier has.
  if (start > 0) ranges.push({ start, end });
  return Promise.all(ranges.toReversed().map((range) => rangeRoot(range, read)));
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
