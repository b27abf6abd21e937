/** A range of addresses of one family: its first and its last one, of as many words each. */
export interface AddressRange {
  readonly first: Uint32Array;
  readonly last: Uint32Array;
}

/** How many new ranges wait at least before all are put in order again. */
const unorderedMin = 64;

/**
 * Networks of one family. They are kept in order, each without what lies within another, so that an address is found by halving: among 10,000
 * networks in fourteen steps, each a few instructions. Networks overlap only by lying within one another.
 */
export class AddressRanges {
  readonly #words: number;
  #count = 0;
  #unordered: AddressRange[] = [];
  /** The first and the last addresses of the ordered ranges, one after the other. */
  #firsts: Uint32Array = new Uint32Array();
  #lasts: Uint32Array = new Uint32Array();

  /** @param words of 32 bits of an address */
  constructor(words: number) {
    this.#words = words;
  }

  /** Adding many costs about as much as putting them in order once. What is there already takes no room. */
  add(range: AddressRange): void {
    this.#unordered.push(range);
    if (this.#unordered.length > unorderedMin + this.#count) this.#order();
  }

  /** Whether an address is in one of them. */
  has(address: Uint32Array): boolean {
    if (this.#unordered.length > 0) this.#order();
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.#firsts, middle, address) <= 0) low = middle + 1;
      else high = middle;
    }
    return low > 0 && this.#compare(this.#lasts, low - 1, address) >= 0;
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
    this.#firsts = joined(
      kept.map(({ first }) => first),
      this.#words,
    );
    this.#lasts = joined(
      kept.map(({ last }) => last),
      this.#words,
    );
  }

  /** What is in order, as views: ten thousand objects that nobody asks for would be kept otherwise. */
  #ordered(): readonly AddressRange[] {
    const words = this.#words;
    return Array.from({ length: this.#count }, (_, index) => ({
      first: this.#firsts.subarray(index * words, (index + 1) * words),
      last: this.#lasts.subarray(index * words, (index + 1) * words),
    }));
  }

  #compare(list: Uint32Array, index: number, address: Uint32Array): number {
    const from = index * this.#words;
    for (let word = 0; word < this.#words; word += 1) {
      const difference = (list[from + word] as number) - (address[word] as number);
      if (difference !== 0) return difference;
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
