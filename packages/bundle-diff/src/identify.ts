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
    const clash = problem ?? taken.claim(id, values);
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
  readonly #ids = new Set<string>();
  readonly #keys: readonly KeyIndex[];
  readonly #collection: CollectionDescriptor;

  constructor(collection: CollectionDescriptor) {
    this.#collection = collection;
    this.#keys = collection.keys.map((key) => new KeyIndex(key));
  }

  /** The mistake when an earlier record has the same ID or natural key. */
  claim(id: string, values: BundleRecord): RecordProblem | undefined {
    for (const [position, key] of this.#keys.entries()) {
      if (key.claim(values)) return twice(this.#collection.keys[position]?.fields.at(-1) ?? '');
    }
    if (this.#ids.has(id)) return twice('id');
    this.#ids.add(id);
    return undefined;
  }
}

function twice(field: string): RecordProblem {
  return { pointer: pointerTo('', field), code: 'duplicate', message: 'is given to another record of the bundle too' };
}
