/** A map of bounded size: what was used longest ago goes first. */
export class RecentMap<Value> {
  readonly #sizeMax: number;
  readonly #entries = new Map<string, Value>();

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Looks without use. */
  peek(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Looks, and counts as use. */
  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#sizeMax) return;
    const { value: oldest } = this.#entries.keys().next();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
