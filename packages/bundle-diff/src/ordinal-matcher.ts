import type { CollectionDescriptor } from './descriptor.ts';
import { idOf } from './descriptor.ts';
import type { BundleRecord } from './json-values.ts';

/**
 * Pairs records that have no natural key, plugin instances for instance: among those that agree in `matchBy`, the nth of
 * the bundle is the nth live one by ID. So a bundle applied twice changes nothing the second time.
 */
export class OrdinalMatcher {
  readonly #fields: readonly string[];
  readonly #waiting = new Map<string, string[]>();

  /** @param named IDs that the bundle gives itself: they are not up for pairing */
  constructor(collection: CollectionDescriptor, live: readonly BundleRecord[], named: ReadonlySet<string>) {
    this.#fields = collection.keys.length === 0 ? collection.matchBy : [];
    if (this.#fields.length === 0) return;
    const byIdDescending = live.map((record) => ({ id: idOf(record), record })).sort((a, b) => (a.id < b.id ? 1 : -1));
    for (const { id, record } of byIdDescending) {
      if (named.has(id)) continue;
      const text = this.#textOf(record);
      const waiting = this.#waiting.get(text);
      if (waiting) waiting.push(id);
      else this.#waiting.set(text, [id]);
    }
  }

  /** The ID of the next live record like this one; `undefined` when there is none left. */
  next(record: BundleRecord): string | undefined {
    return this.#fields.length === 0 ? undefined : this.#waiting.get(this.#textOf(record))?.pop();
  }

  #textOf(record: BundleRecord): string {
    return JSON.stringify(this.#fields.map((field) => record[field] ?? null));
  }
}
