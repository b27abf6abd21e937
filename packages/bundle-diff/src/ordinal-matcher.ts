import type { CollectionDescriptor } from './descriptor.ts';
import { idOf } from './descriptor.ts';
import type { BundleRecord } from './json-values.ts';
import type { OnLookUp } from './live-look-up.ts';
import { hasKey, partText } from './key-index.ts';

/**
 * Pairs records that have no natural key, plugin instances or certificates without a name for instance: among those that
 * agree in `matchBy`, the nth of the bundle is the nth live one by ID. So a bundle applied twice changes nothing the second
 * time.
 */
export class OrdinalMatcher {
  readonly #collection: CollectionDescriptor;
  readonly #live: readonly BundleRecord[];
  readonly #named: ReadonlySet<string>;
  readonly #onLookUp: OnLookUp | undefined;
  /** Made when it is first asked for: in most collections every record has a key. */
  #waiting: ReadonlyMap<string, string[]> | undefined;

  /** @param named IDs that the bundle gives itself: they are not up for pairing */
  constructor(
    collection: CollectionDescriptor,
    live: readonly BundleRecord[],
    named: ReadonlySet<string>,
    onLookUp?: OnLookUp,
  ) {
    this.#onLookUp = onLookUp;
    this.#collection = collection;
    this.#live = live;
    this.#named = named;
  }

  /** The ID of the next live record like this one; `undefined` when there is none left, or the record has a key. */
  next(record: BundleRecord): string | undefined {
    if (this.#collection.matchBy.length === 0 || hasAnyKey(record, this.#collection)) return undefined;
    this.#onLookUp?.({ kind: 'unkeyed', collection: this.#collection.key, values: record });
    this.#waiting ??= this.#waitingByText();
    return this.#waiting.get(this.#textOf(record))?.pop();
  }

  /** Of each text the last ID comes first. */
  #waitingByText(): ReadonlyMap<string, string[]> {
    const waiting = new Map<string, string[]>();
    for (const record of this.#live) {
      if (this.#named.has(idOf(record)) || hasAnyKey(record, this.#collection)) continue;
      const text = this.#textOf(record);
      const ids = waiting.get(text);
      if (ids) ids.push(idOf(record));
      else waiting.set(text, [idOf(record)]);
    }
    for (const ids of waiting.values()) ids.sort((a, b) => (a < b ? 1 : -1));
    return waiting;
  }

  #textOf(record: BundleRecord): string {
    let text = '';
    for (const field of this.#collection.matchBy) {
      const part = partText(record[field] ?? null);
      text += `${part.length}:${part}`;
    }
    return text;
  }
}

/** Whether a record is told apart from others by a natural key. */
export function hasAnyKey(record: BundleRecord, { keys }: CollectionDescriptor): boolean {
  return keys.some((key) => hasKey(record, key));
}
