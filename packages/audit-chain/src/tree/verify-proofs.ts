import { isHash } from '../hashing/hex.ts';
import { nodeHash } from './hashes.ts';

/** What an inclusion proof claims. `index` is 0 for the first leaf, `leaf` of `leafHash`. */
export interface InclusionClaim {
  readonly leaf: string;
  readonly index: number;
  readonly size: number;
  readonly root: string;
  readonly proof: readonly string[];
}

/** Whether the leaf is at that index of the tree with that root. Whatever is passed in, it only says no. Source: RFC 9162, 2.1.3.2. */
export function verifyInclusion(claim: InclusionClaim): boolean {
  const { leaf, index, size, root, proof } = claim;
  if (!isCount(index) || !isCount(size) || index >= size || !isHash(leaf) || !proof.every(isHash)) return false;
  let [position, last, hash] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      hash = nodeHash(sibling, hash);
      while (position % 2 === 0 && position !== 0) [position, last] = [position / 2, half(last)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && hash === root;
}

/** What a consistency proof claims. */
export interface ConsistencyClaim {
  readonly from: number;
  readonly fromRoot: string;
  readonly to: number;
  readonly toRoot: string;
  readonly proof: readonly string[];
}

/**
 * Whether the tree of size `from` is the beginning of that of size `to`. Whatever is passed in, it only says no.
 * An empty tree has no root to be proved: `from` is at least 1. Source: RFC 9162, 2.1.4.2.
 */
export function verifyConsistency(claim: ConsistencyClaim): boolean {
  const { from, fromRoot, to, toRoot, proof } = claim;
  if (!isCount(from) || !isCount(to) || from < 1 || from > to || !isHash(fromRoot) || !proof.every(isHash))
    return false;
  if (from === to) return proof.length === 0 && fromRoot === toRoot;
  let [position, last] = [from - 1, to - 1];
  while (position % 2 === 1) [position, last] = [half(position), half(last)];
  // Of a size that is a power of two the older root itself is the first node.
  const [first, ...rest] = position === 0 ? [fromRoot, ...proof] : proof;
  if (first === undefined) return false;
  let [older, newer] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      [older, newer] = [nodeHash(sibling, older), nodeHash(sibling, newer)];
      while (position % 2 === 0 && position !== 0) [position, last] = [position / 2, half(last)];
    } else {
      newer = nodeHash(newer, sibling);
    }
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && older === fromRoot && newer === toRoot;
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
