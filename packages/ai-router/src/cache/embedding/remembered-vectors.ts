/** Memory for vectors that are remembered in one process, of all embedders and tenants together. */
export const REMEMBERED_BYTES_MAX: number = 32 * 1024 * 1024;

/** What a vector takes beside its numbers. */
const OVERHEAD_BYTES = 250;

/**
 * The vectors that a process remembers: the same question soon comes again, and the answer to it is put under the same vector. Each embedder
 * finds its own only: a vector that comes at once would tell a tenant what others asked. Those that were not used for longest go.
 */
export class RememberedVectors {
  readonly #bytesMax: number;
  readonly #numbers = new WeakMap<object, number>();
  /** Used last is last. */
  readonly #vectors = new Map<string, Float32Array>();
  #owners = 0;
  #bytes = 0;

  constructor(bytesMax: number = REMEMBERED_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  /** About what they take in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param key of a text, for instance its hash */
  get(owner: object, key: string): Float32Array | undefined {
    const name = this.#nameOf(owner, key);
    const vector = this.#vectors.get(name);
    if (vector === undefined) return undefined;
    this.#vectors.delete(name);
    this.#vectors.set(name, vector);
    return vector;
  }

  set(owner: object, key: string, vector: Float32Array): void {
    const name = this.#nameOf(owner, key);
    this.#forget(name);
    this.#vectors.set(name, vector);
    this.#bytes += vector.byteLength + OVERHEAD_BYTES;
    for (const oldest of this.#vectors.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    const vector = this.#vectors.get(name);
    if (vector === undefined) return;
    this.#vectors.delete(name);
    this.#bytes -= vector.byteLength + OVERHEAD_BYTES;
  }

  #nameOf(owner: object, key: string): string {
    let number = this.#numbers.get(owner);
    if (number === undefined) this.#numbers.set(owner, (number = this.#owners += 1));
    return `${number}:${key}`;
  }
}
