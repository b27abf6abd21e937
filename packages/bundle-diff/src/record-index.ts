import type { BundleState, CollectionDescriptor, NaturalKey } from './descriptor.ts';
import { idOf } from './descriptor.ts';
import type { BundleRecord } from './json-values.ts';
import { KeyIndex, hasKey } from './key-index.ts';
import type { OnLookUp } from './live-look-up.ts';

/**
 * Records of one collection by ID and by each natural key. An index is made when it is first asked for, which is linear;
 * asking is constant. Of several records with the same ID or key the first is found.
 */
export class RecordIndex {
  readonly #collection: CollectionDescriptor;
  readonly #records: readonly BundleRecord[];
  readonly #onLookUp: OnLookUp | undefined;
  readonly #addressPosition: number;
  #byId: ReadonlyMap<string, BundleRecord> | undefined;
  /** In the order of the collection's keys. */
  readonly #byKey: KeyIndex[] = [];

  /**
   * @param records each with an ID
   * @param onLookUp told what is asked of it
   */
  constructor(collection: CollectionDescriptor, records: readonly BundleRecord[], onLookUp?: OnLookUp) {
    this.#collection = collection;
    this.#records = records;
    this.#onLookUp = onLookUp;
    this.#addressPosition = collection.keys.findIndex((key) => key.addressable === true);
  }

  withId(id: string): BundleRecord | undefined {
    this.#onLookUp?.({ kind: 'id', collection: this.#collection.key, id });
    this.#byId ??= recordsById(this.#records);
    return this.#byId.get(id);
  }

  /**
   * The record that has a natural key of another one.
   * @param position of the key among those of the collection
   * @param values a record with the fields of the key
   */
  withKey(position: number, values: BundleRecord): BundleRecord | undefined {
    const key = this.#collection.keys[position];
    if (!key) return undefined;
    if (this.#onLookUp && hasKey(values, key)) {
      this.#onLookUp({ kind: 'key', collection: this.#collection.key, key, values });
    }
    return this.#indexOf(key, position).holder(values);
  }

  /** The record that a by-name reference means. @param within ID of what the name is unique in, where it is */
  withName(name: string, within: unknown): BundleRecord | undefined {
    const key = this.#collection.keys[this.#addressPosition];
    const [field] = key?.fields ?? [];
    if (!key || field === undefined) return undefined;
    // Of a large bundle most records name others, and nothing is made for each of them.
    if (!this.#onLookUp && key.fields.length === 1) {
      return this.#indexOf(key, this.#addressPosition).named(name, within);
    }
    const values = { [field]: name, ...(key.within !== undefined && { [key.within]: within }) };
    return this.withKey(this.#addressPosition, values);
  }

  #indexOf(key: NaturalKey, position: number): KeyIndex {
    return (this.#byKey[position] ??= KeyIndex.of(key, this.#records));
  }
}

/** The live records of a collection, indexed. */
export function indexOfState(collection: CollectionDescriptor, state: BundleState, onLookUp?: OnLookUp): RecordIndex {
  return new RecordIndex(collection, state[collection.key] ?? [], onLookUp);
}

function recordsById(records: readonly BundleRecord[]): ReadonlyMap<string, BundleRecord> {
  const byId = new Map<string, BundleRecord>();
  for (const record of records) {
    const id = idOf(record);
    if (!byId.has(id)) byId.set(id, record);
  }
  return byId;
}
