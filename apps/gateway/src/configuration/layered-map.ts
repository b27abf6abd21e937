/** The layer above is merged into the one below when it has more entries than this part of it. */
const mergeShare = 1 / 8;
const mergeMin = 256;

/**
 * A map that never changes and shares what it holds with the ones made from it: a change costs what it touches, and now and then a
 * copy of the whole. Reading takes one look-up or two.
 */
export class LayeredMap<Value> {
  readonly #base: ReadonlyMap<string, Value | undefined>;
  readonly #above: ReadonlyMap<string, Value | undefined>;

  constructor(
    base: ReadonlyMap<string, Value | undefined> = new Map(),
    above: ReadonlyMap<string, Value | undefined> = new Map(),
  ) {
    this.#base = base;
    this.#above = above;
  }

  get isEmpty(): boolean {
    return this.#base.size === 0 && this.#above.size === 0;
  }

  get(key: string): Value | undefined {
    if (this.#above.size > 0 && this.#above.has(key)) return this.#above.get(key);
    return this.#base.get(key);
  }

  /** A map with some values changed; `undefined` takes one away. The changes are kept and must not be changed any more. */
  with(changes: ReadonlyMap<string, Value | undefined>): LayeredMap<Value> {
    if (changes.size === 0) return this;
    if (this.isEmpty) return new LayeredMap(changes);
    if (this.#above.size + changes.size <= Math.max(mergeMin, this.#base.size * mergeShare)) {
      return new LayeredMap(this.#base, new Map([...this.#above, ...changes]));
    }
    const merged = new Map(this.#base);
    for (const layer of [this.#above, changes]) {
      for (const [key, value] of layer) {
        if (value === undefined) merged.delete(key);
        else merged.set(key, value);
      }
    }
    return new LayeredMap(merged);
  }
}
