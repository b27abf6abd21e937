import type { CacheCollection } from '../data-ports.ts';
import { READ_TIMEOUT_MS } from '../store-bounds.ts';
import { unavailable } from '../store-error.ts';
import { filterFields } from './documents.ts';
import { isRefusedSearch } from './server-error.ts';
import { indexStages, servesVectors, type VectorForm } from './vector-stages.ts';

/** How long it is believed what was seen of the index: somebody may make it, or drop it. */
export const ASK_AGAIN_MS = 60_000;

/** What an index has to be. */
export interface WantedIndex {
  readonly form: VectorForm | undefined;
  readonly indexName: string;
  readonly vectorPath: string;
  readonly dimensions: number;
  readonly clock: { monotonicMs(): number };
}

/** Knows whether the server has the vector index. DocumentDB lists none: there the first search says it. */
export class VectorIndex {
  readonly #collection: CacheCollection;
  readonly #wanted: WantedIndex;
  #known: Promise<boolean> | undefined;
  #askedAtMs = -Infinity;

  constructor(collection: CacheCollection, wanted: WantedIndex) {
    this.#collection = collection;
    this.#wanted = wanted;
  }

  isThere(): Promise<boolean> {
    const nowMs = this.#wanted.clock.monotonicMs();
    if (this.#known !== undefined && nowMs - this.#askedAtMs < ASK_AGAIN_MS) return this.#known;
    this.#askedAtMs = nowMs;
    this.#known = this.#ask().catch((error: unknown) => {
      this.#known = undefined;
      throw unavailable(error);
    });
    return this.#known;
  }

  /** A search was refused: it is tried again after a while. */
  wasRefused(): void {
    this.#known = Promise.resolve(false);
    this.#askedAtMs = this.#wanted.clock.monotonicMs();
  }

  async #ask(): Promise<boolean> {
    const { form, indexName, vectorPath: path, dimensions } = this.#wanted;
    if (form !== 'atlas') return true;
    try {
      const indexes = await this.#collection.aggregate(indexStages(indexName), { timeoutMs: READ_TIMEOUT_MS });
      return servesVectors(indexes, { path, dimensions, filters: filterFields });
    } catch (error) {
      if (isRefusedSearch(error)) return false;
      throw error;
    }
  }
}
