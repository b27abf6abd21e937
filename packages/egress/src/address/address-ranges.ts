import { RangeIndex } from './range-index.ts';

/** A range of addresses of one family: its first and its last one, of as many words each. */
export interface AddressRange {
  readonly first: Uint32Array;
  readonly last: Uint32Array;
}

/** How many new ranges wait at least before all are put in order again. */
const unorderedMin = 64;

/**
 * Networks of one family. They are kept in order, each without what lies within another; an index says between which of them an address would
 * be, and the rest is found by halving: of 10,000 networks few remain. Networks overlap only by lying within one another.
 */
export class AddressRanges {
  readonly #words: number;
  #count = 0;
  #unordered: AddressRange[] = [];
  /** First and last address of each ordered range by turns: side by side they are one look into memory. */
  #bounds: Uint32Array = new Uint32Array();
  #index: RangeIndex | undefined;

  /** @param words of 32 bits of an address */
  constructor(words: number) {
    this.#words = words;
  }

  /** Adding many costs about as much as putting them in order once. What is there already takes no room. */
  add(range: AddressRange): void {
    this.#unordered.push(range);
    if (this.#unordered.length > unorderedMin + this.#count) this.#order();
  }

  /** Puts in order what was added, so that not the first who asks has to wait for it. */
  settle(): void {
    if (this.#unordered.length > 0) this.#order();
  }

  /** Whether an address is in one of them. */
  has(address: Uint32Array): boolean {
    this.settle();
    const index = this.#index;
    let low = 0;
    let high = this.#count;
    if (index !== undefined) {
      const bucket = index.bucketOf(address);
      low = index.startOf(bucket);
      high = index.startOf(bucket + 1);
    }
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle * 2, address) <= 0) low = middle + 1;
      else high = middle;
    }
    return (
      low > 0 &&
      this.#compare(low * 2 - 1, address) >= 0 &&
      // The index looks at some bits alone: what it finds for an address that differs in others begins behind it.
      this.#compare(low * 2 - 2, address) <= 0
    );
  }

  #order(): void {
    const all = [...this.#ordered(), ...this.#unordered].toSorted(
      // Of those that begin alike the widest first.
      (left, right) => compareWords(left.first, right.first) || compareWords(right.last, left.last),
    );
    const kept: AddressRange[] = [];
    for (const range of all) {
      const before = kept.at(-1);
      if (before === undefined || compareWords(before.last, range.first) < 0) kept.push(range);
    }
    this.#count = kept.length;
    this.#unordered = [];
    this.#bounds = joined(
      kept.flatMap(({ first, last }) => [first, last]),
      this.#words,
    );
    this.#index = RangeIndex.of(
      kept.map(({ first }) => first),
      this.#words,
    );
  }

  /** What is in order, as views: ten thousand objects that nobody asks for would be kept otherwise. */
  #ordered(): readonly AddressRange[] {
    const words = this.#words;
    return Array.from({ length: this.#count }, (_, index) => ({
      first: this.#bounds.subarray(index * 2 * words, (index * 2 + 1) * words),
      last: this.#bounds.subarray((index * 2 + 1) * words, (index * 2 + 2) * words),
    }));
  }

  /** How a bound compares with an address: below 0, 0 or above. */
  #compare(bound: number, address: Uint32Array): number {
    const bounds = this.#bounds;
    const from = bound * this.#words;
    for (let word = 0; word < this.#words; word += 1) {
      const left = bounds[from + word] as number;
      const right = address[word] as number;
      // No difference: one of two 32-bit numbers would have to be boxed.
      if (left !== right) return left < right ? -1 : 1;
    }
    return 0;
  }
}

function compareWords(left: Uint32Array, right: Uint32Array): number {
  for (const [word, value] of right.entries()) {
    const difference = (left[word] as number) - value;
    if (difference !== 0) return difference;
  }
  return 0;
}

function joined(addresses: readonly Uint32Array[], words: number): Uint32Array {
  const all = new Uint32Array(addresses.length * words);
  for (const [index, address] of addresses.entries()) all.set(address, index * words);
  return all;
}
