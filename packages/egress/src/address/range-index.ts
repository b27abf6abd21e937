/** Fewer ranges are found as fast without an index. */
const rangesMin = 16;

/** Most bits of an address that are looked at: 65,536 buckets, 256 KiB; half of it up to 65,535 ranges. */
const bitsMax = 16;

/**
 * Where ranges begin, by some bits of their first addresses: those behind the bits that all of them share, so that lists of one provider's
 * networks are told apart as well as lists of the whole internet's. An address below or above all is put into some bucket, too: what is
 * found there has to be compared.
 */
export class RangeIndex {
  /** The word in which the bits begin, and the one after it, where the address has one. */
  readonly #word: number;
  readonly #next: number | undefined;
  readonly #shift: number;
  readonly #bits: number;
  readonly #starts: Uint32Array | Uint16Array;

  private constructor(shared: number, words: number, bits: number, starts: Uint32Array | Uint16Array) {
    this.#word = Math.floor(shared / 32);
    this.#next = this.#word + 1 < words && shared % 32 > 0 ? this.#word + 1 : undefined;
    this.#shift = shared % 32;
    this.#bits = bits;
    this.#starts = starts;
  }

  /**
   * @param firsts first addresses of ranges in their order, without doubles
   * @param words of an address
   * @returns `undefined` where there are few
   */
  static of(firsts: readonly Uint32Array[], words: number): RangeIndex | undefined {
    const count = firsts.length;
    const [lowest, highest] = [firsts[0], firsts.at(-1)];
    if (count < rangesMin || lowest === undefined || highest === undefined) return undefined;
    const shared = sharedBits(lowest, highest);
    const bits = Math.min(bitsMax, Math.ceil(Math.log2(count)));
    const starts = count < 2 ** 16 ? new Uint16Array(2 ** bits + 1) : new Uint32Array(2 ** bits + 1);
    const index = new RangeIndex(shared, words, bits, starts);
    for (const [at, first] of firsts.entries()) starts[index.bucketOf(first) + 1] = at + 1;
    // Empty buckets begin where the one before them ends.
    for (let bucket = 1; bucket < starts.length; bucket += 1) {
      starts[bucket] = Math.max(starts[bucket] as number, starts[bucket - 1] as number);
    }
    return index;
  }

  /** The bucket of an address. Addresses that share what all ranges share lie in buckets in their order. */
  bucketOf(address: Uint32Array): number {
    const shift = this.#shift;
    const word = address[this.#word] as number;
    const next = this.#next === undefined ? 0 : (address[this.#next] as number) >>> (32 - shift);
    return ((word << shift) | next) >>> (32 - this.#bits);
  }

  /** How many ranges begin in buckets before this one. */
  startOf(bucket: number): number {
    return this.#starts[bucket] as number;
  }
}

/** How many leading bits two addresses share. */
function sharedBits(left: Uint32Array, right: Uint32Array): number {
  for (const [word, value] of left.entries()) {
    const difference = (value ^ (right[word] as number)) >>> 0;
    if (difference !== 0) return word * 32 + Math.clz32(difference);
  }
  return 0;
}
