import type { CollectionDescriptor } from './descriptor.ts';
import { idOf } from './descriptor.ts';
import type { BundleRecord } from './json-values.ts';
import { keyText } from './record-index.ts';

/**
 * Pairs records that have no natural key, plugin instances or certificates without a name for instance: among those that
 * agree in `matchBy`, the nth of the bundle is the nth live one by ID. So a bundle applied twice changes nothing the second
 * time.
 */
export class OrdinalMatcher {
  readonly #collection: CollectionDescriptor;
  readonly #waiting = new Map<string, string[]>();

  /** @param named IDs that the bundle gives itself: they are not up for pairing */
  constructor(collection: CollectionDescriptor, live: readonly BundleRecord[], named: ReadonlySet<string>) {
    this.#collection = collection;
    if (collection.matchBy.length === 0) return;
    const byIdDescending = live
      .filter((record) => !named.has(idOf(record)) && !hasKey(record, collection))
      .map((record) => ({ id: idOf(record), record }))
      .sort((a, b) => (a.id < b.id ? 1 : -1));
    for (const { id, record } of byIdDescending) {
      const text = this.#textOf(record);
      const waiting = this.#waiting.get(text);
      if (waiting) waiting.push(id);
      else this.#waiting.set(text, [id]);
    }
  }

  /** The ID of the next live record like this one; `undefined` when there is none left, or the record has a key. */
  next(record: BundleRecord): string | undefined {
    if (this.#waiting.size === 0 || hasKey(record, this.#collection)) return undefined;
    return this.#waiting.get(this.#textOf(record))?.pop();
  }

  #textOf(record: BundleRecord): string {
    return JSON.stringify(this.#collection.matchBy.map((field) => record[field] ?? null));
  }
}

function hasKey(record: BundleRecord, { keys }: CollectionDescriptor): boolean {
  return keys.some((key) => keyText(record, key) !== undefined);
}
