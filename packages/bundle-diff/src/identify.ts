import type { CheckedEntry } from './check-document.ts';
import type { CollectionDescriptor, RecordProblem } from './descriptor.ts';
import { idOf } from './descriptor.ts';
import { pointerTo } from './json-pointer.ts';
import type { BundleRecord } from './json-values.ts';
import type { LinkOptions, LinkedEntry } from './link-bundle.ts';
import { OrdinalMatcher } from './ordinal-matcher.ts';
import { keyText } from './record-index.ts';
import type { RecordIndex } from './record-index.ts';

type Report = (entry: CheckedEntry, problems: readonly RecordProblem[]) => void;

/**
 * Gives each record of a collection its ID: its own, else that of the live record with the same natural key, else a new
 * one. An ID and a natural key that belong to different records are refused, and so are two records that are the same.
 */
export function identify(
  collection: CollectionDescriptor,
  entries: readonly CheckedEntry[],
  live: RecordIndex,
  options: LinkOptions,
  report: Report,
): LinkedEntry[] {
  const named = new Set(entries.flatMap(({ values }) => (typeof values['id'] === 'string' ? [values['id']] : [])));
  const ordinals = new OrdinalMatcher(collection, options.live[collection.key] ?? [], named);
  const taken = new TakenKeys(collection);
  return entries.flatMap((entry) => {
    const found = idFor(collection, entry.values, live, named);
    const problem = 'code' in found ? found : undefined;
    const id = 'id' in found ? (found.id ?? ordinals.next(entry.values) ?? options.newId()) : '';
    const record = { ...entry.values, id };
    const clash = problem ?? taken.claim(record);
    if (!clash) return [{ index: entry.index, record }];
    report(entry, [clash]);
    return [];
  });
}

function idFor(
  collection: CollectionDescriptor,
  values: BundleRecord,
  live: RecordIndex,
  named: ReadonlySet<string>,
): RecordProblem | { readonly id: string | undefined } {
  let id = typeof values['id'] === 'string' ? values['id'] : undefined;
  for (const key of collection.keys) {
    const text = keyText(values, key);
    const owner = text === undefined ? undefined : live.withKey(key, text);
    if (!owner || idOf(owner) === id) continue;
    // The owner is in the bundle under its ID, so its own entry says what it is called from now on.
    if (named.has(idOf(owner))) continue;
    if (id !== undefined) {
      const field = key.fields.at(-1) ?? '';
      return { pointer: pointerTo('', field), code: 'contradiction', message: 'belongs to a record with another ID' };
    }
    id = idOf(owner);
  }
  return { id };
}

/** Finds records that the bundle holds twice. */
class TakenKeys {
  readonly #collection: CollectionDescriptor;
  readonly #ids = new Set<unknown>();
  readonly #keys: readonly Set<string>[];

  constructor(collection: CollectionDescriptor) {
    this.#collection = collection;
    this.#keys = collection.keys.map(() => new Set());
  }

  /** The mistake when an earlier record has the same ID or natural key. */
  claim(record: BundleRecord): RecordProblem | undefined {
    for (const [position, key] of this.#collection.keys.entries()) {
      const text = keyText(record, key);
      if (text === undefined) continue;
      if (this.#keys[position]?.has(text)) return twice(key.fields.at(-1) ?? '');
      this.#keys[position]?.add(text);
    }
    if (this.#ids.has(record['id'])) return twice('id');
    this.#ids.add(record['id']);
    return undefined;
  }
}

function twice(field: string): RecordProblem {
  return { pointer: pointerTo('', field), code: 'duplicate', message: 'is given to another record of the bundle too' };
}
