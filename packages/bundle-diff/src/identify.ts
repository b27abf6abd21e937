import type { CheckedEntry } from './check-document.ts';
import type { CollectionDescriptor, RecordProblem } from './descriptor.ts';
import { idOf } from './descriptor.ts';
import { pointerTo } from './json-pointer.ts';
import type { BundleRecord } from './json-values.ts';
import { KeyIndex } from './key-index.ts';
import type { LinkOptions, LinkedEntry, LinkingEntry } from './link-bundle.ts';
import { OrdinalMatcher } from './ordinal-matcher.ts';
import type { RecordIndex } from './record-index.ts';

type Report = (entry: CheckedEntry, problems: readonly RecordProblem[]) => void;

/**
 * Gives each record of a collection its ID: its own, else that of the live record with the same natural key, else a new
 * one. An ID and a natural key that belong to different records are refused, and so are two records that are the same.
 */
export function identify(
  collection: CollectionDescriptor,
  entries: readonly LinkingEntry[],
  live: RecordIndex,
  options: LinkOptions,
  report: Report,
): LinkedEntry[] {
  const named = new Set<string>();
  for (const { values, isKnown } of entries) if (!isKnown && typeof values['id'] === 'string') named.add(values['id']);
  const ordinals = new OrdinalMatcher(collection, options.live[collection.key] ?? [], named, options.onLookUp);
  const taken = new TakenKeys(collection);
  const identified: LinkedEntry[] = [];
  for (const entry of entries) {
    const { index, values, isKnown } = entry;
    const found = isKnown ? { owner: values } : ownerOf(collection, values, live, named);
    const problem = 'code' in found ? found : undefined;
    const owner = 'code' in found ? undefined : found.owner;
    const known = problem ? '' : owner ? idOf(owner) : (textOf(values['id']) ?? ordinals.next(values));
    const id = known ?? options.newId();
    const clash = problem ?? taken.claim(id, values, isKnown === true);
    if (clash) {
      report(entry, [clash]);
      continue;
    }
    const isLive = owner ?? (known === undefined ? undefined : live.withId(id));
    if (!isKnown) values['id'] = id;
    identified.push({ index, record: values, live: isLive });
  }
  return identified;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The live record that a record without an ID of its own is by its natural keys; or what contradicts it. */
function ownerOf(
  collection: CollectionDescriptor,
  values: BundleRecord,
  live: RecordIndex,
  named: ReadonlySet<string>,
): RecordProblem | { readonly owner: BundleRecord | undefined } {
  let id = textOf(values['id']);
  let found: BundleRecord | undefined;
  for (const [position, key] of collection.keys.entries()) {
    const owner = live.withKey(position, values);
    if (!owner || idOf(owner) === id) continue;
    // The owner is in the bundle under its ID, so its own entry says what it is called from now on.
    if (named.has(idOf(owner))) continue;
    if (id !== undefined) {
      const field = key.fields.at(-1) ?? '';
      return { pointer: pointerTo('', field), code: 'contradiction', message: 'belongs to a record with another ID' };
    }
    id = idOf(owner);
    found = owner;
  }
  return { owner: found };
}

/** Finds records that the bundle holds twice. */
class TakenKeys {
  readonly #ids = new Map<string, BundleRecord>();
  readonly #keys: readonly KeyIndex[];
  readonly #collection: CollectionDescriptor;

  constructor(collection: CollectionDescriptor) {
    this.#collection = collection;
    this.#keys = collection.keys.map((key) => new KeyIndex(key));
  }

  /**
   * The mistake when an earlier record has the same ID or natural key.
   * @param isKnown whether it is a live record as it stands: whatever has one of its keys gets its ID, so that tells, and most
   * records of a large bundle need no entry for each of their keys
   */
  claim(id: string, values: BundleRecord, isKnown: boolean): RecordProblem | undefined {
    const earlier = this.#ids.get(id);
    if (earlier) return twice(this.#sharedField(earlier, values) ?? 'id');
    for (const [position, key] of isKnown ? [] : this.#keys.entries()) {
      if (key.claim(values)) return twice(this.#collection.keys[position]?.fields.at(-1) ?? '');
    }
    this.#ids.set(id, values);
    return undefined;
  }

  /** The last field of the first natural key that two records share. */
  #sharedField(earlier: BundleRecord, values: BundleRecord): string | undefined {
    const shared = this.#collection.keys.find((key) => {
      const index = new KeyIndex(key);
      index.claim(earlier);
      return index.holder(values) !== undefined;
    });
    return shared?.fields.at(-1);
  }
}

function twice(field: string): RecordProblem {
  return { pointer: pointerTo('', field), code: 'duplicate', message: 'is given to another record of the bundle too' };
}
