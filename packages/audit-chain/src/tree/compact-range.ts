import { hashText } from '../hashing/hex.ts';
import { EMPTY_ROOT, nodeHash } from './hashes.ts';

/** How many perfect subtrees a tree of that size is made of: one for each bit that is set. */
export function subtreeCount(size: number): number {
  let count = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2;
  return count;
}

/**
 * A Merkle tree that keeps only the roots of its perfect subtrees, at most 53: enough to append and to give the root.
 * Source: RFC 6962, 2.1; "compact ranges" of the transparency logs.
 */
export class CompactRange {
  readonly #hashes: string[];
  #size: number;

  private constructor(size: number, hashes: readonly string[]) {
    this.#size = size;
    this.#hashes = [...hashes];
  }

  /** A tree without leaves. */
  static empty(): CompactRange {
    return new CompactRange(0, []);
  }

  /** A tree of that many leaves from the roots of its perfect subtrees, left to right. Throws where their number does not fit. */
  static from(size: number, hashes: readonly string[]): CompactRange {
    if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`${size} is no size of a tree`);
    if (hashes.length !== subtreeCount(size)) {
      throw new RangeError(`a tree of ${size} leaves has ${subtreeCount(size)} perfect subtrees, not ${hashes.length}`);
    }
    for (const hash of hashes) hashText(hash, 'a subtree');
    return new CompactRange(size, hashes);
  }

  /** Number of leaves. */
  get size(): number {
    return this.#size;
  }

  /** Roots of the perfect subtrees, left to right, the largest first. */
  get hashes(): readonly string[] {
    return [...this.#hashes];
  }

  /**
   * Appends a leaf (of `leafHash`). `onNode` is told each perfect subtree that it completes, the leaf itself as level 0,
   * so that a store can keep those that it wants.
   */
  append(leaf: string, onNode?: (level: number, position: number, hash: string) => void): void {
    let hash = hashText(leaf, 'leaf');
    let position = this.#size;
    onNode?.(0, position, hash);
    for (let level = 1; position % 2 === 1; level++) {
      hash = nodeHash(this.#hashes.pop() ?? '', hash);
      position = (position - 1) / 2;
      onNode?.(level, position, hash);
    }
    this.#hashes.push(hash);
    this.#size++;
  }

  /** The root over all leaves. */
  root(): string {
    return this.#hashes.length === 0 ? EMPTY_ROOT : this.#hashes.reduceRight((right, left) => nodeHash(left, right));
  }
}
