import type { BundleState, CollectionDescriptor, NaturalKey } from './descriptor.ts';
import { idOf } from './descriptor.ts';
import { isAbsent } from './json-values.ts';
import type { BundleRecord } from './json-values.ts';

/** The text of a record's natural key, or `undefined` when one of its values is missing. */
export function keyText(record: BundleRecord, key: NaturalKey): string | undefined {
  const parts = [key.within, ...key.fields].map((field) => (field === undefined ? '' : record[field]));
  return parts.some(isAbsent) ? undefined : JSON.stringify(parts);
}

/** Records of one collection by ID and by each natural key. Building it is linear, asking it is constant. */
export class RecordIndex {
  readonly #byId = new Map<string, BundleRecord>();
  readonly #byKey: ReadonlyMap<NaturalKey, Map<string, BundleRecord>>;
  readonly #addressKey: NaturalKey | undefined;

  constructor(collection: CollectionDescriptor) {
    this.#byKey = new Map(collection.keys.map((key) => [key, new Map<string, BundleRecord>()]));
    this.#addressKey = collection.keys.find((key) => key.addressable === true);
  }

  /** Adds a record with an ID. The first of several with the same key is kept. */
  add(record: BundleRecord): void {
    const id = idOf(record);
    if (!this.#byId.has(id)) this.#byId.set(id, record);
    for (const [key, records] of this.#byKey) {
      const text = keyText(record, key);
      if (text !== undefined && !records.has(text)) records.set(text, record);
    }
  }

  withId(id: string): BundleRecord | undefined {
    return this.#byId.get(id);
  }

  withKey(key: NaturalKey, text: string): BundleRecord | undefined {
    return this.#byKey.get(key)?.get(text);
  }

  /** The record that a by-name reference means. @param within ID of what the name is unique in, where it is */
  withName(name: string, within: unknown): BundleRecord | undefined {
    const key = this.#addressKey;
    if (!key) return undefined;
    return this.withKey(key, JSON.stringify([key.within === undefined ? '' : within, name]));
  }
}

/** The live records of a collection, indexed. */
export function indexOfState(collection: CollectionDescriptor, state: BundleState): RecordIndex {
  const index = new RecordIndex(collection);
  for (const record of state[collection.key] ?? []) index.add(record);
  return index;
}
