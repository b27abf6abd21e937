import { Candidates } from './candidates.ts';
import type { BundleDescriptor, BundleState, CollectionDescriptor } from './descriptor.ts';
import { isAbsent, isIdentical, isObject } from './json-values.ts';
import type { BundleRecord } from './json-values.ts';
import { RecordIndex } from './record-index.ts';

/**
 * For each collection the live record whose content each of its records has already; nothing for those of which that is not
 * plain. A record with a natural key is that live one. Of one without a key it only says what checking it would give: which
 * one it is depends on all others of the bundle.
 */
export type KnownRecords = ReadonlyMap<string, readonly (BundleRecord | undefined)[]>;

/**
 * Finds the records of a bundle that say nothing new: what they give is what the live record of their natural key has, or
 * the one that they are likely to be paired with, and what they leave out stands there at its default. Checking them could
 * only give that content again. Most records of a large bundle are of this kind, and finding them takes a small part of
 * checking, linking and comparing them.
 *
 * Whatever is not plain is left to be checked: aliases, secrets, derived or normalised values, names in a collection in which
 * the bundle may rename records, and every bundle that gives IDs, since then any name may come to mean another record.
 */
export function knownRecords(
  document: unknown,
  descriptor: BundleDescriptor,
  live: BundleState,
  tenantId: string | undefined,
): KnownRecords {
  const known = new Map<string, readonly (BundleRecord | undefined)[]>();
  if (!isObject(document) || givesIds(document, descriptor)) return known;
  /** Of those whose live records keep their names. */
  const indexes = new Map<string, RecordIndex>();
  // References lead to collections before their own.
  for (const collection of descriptor.collections) {
    const given = document[collection.key];
    const stored = live[collection.key] ?? [];
    const index = new RecordIndex(collection, stored);
    indexes.set(collection.key, index);
    if (!Array.isArray(given) || stored.length === 0) continue;
    if (!collection.defaults) {
      if (mayRename(collection)) indexes.delete(collection.key);
      continue;
    }
    const rules = rulesOf(collection, collection.defaults);
    const candidates = new Candidates({
      collection,
      defaults: collection.defaults,
      stored,
      index,
      isSame: (named, holder) => saysTheSame(named, holder, rules),
    });
    const matches = given.map((record: unknown) => {
      const named = isObject(record) ? withIds(record, rules, indexes, tenantId) : undefined;
      return named && candidates.next(named);
    });
    known.set(collection.key, matches);
    if (mayRename(collection) && matches.includes(undefined)) indexes.delete(collection.key);
  }
  return known;
}

/** Whether a record can be found by another key than the one by which it is named, and so get another name. */
function mayRename({ keys }: CollectionDescriptor): boolean {
  return keys.length > 1;
}

function givesIds(document: BundleRecord, { collections }: BundleDescriptor): boolean {
  return collections.some(({ key }) => {
    const given = document[key];
    return Array.isArray(given) && given.some((record: unknown) => isObject(record) && 'id' in record);
  });
}

/** What of a collection decides whether a record is plain. */
interface PlainRules {
  readonly collection: CollectionDescriptor;
  readonly defaults: BundleRecord;
  /** Fields that a record which was checked has, since they have a default. */
  readonly defaultFields: readonly string[];
  readonly nameFields: ReadonlySet<string>;
  /** Fields that no record of a bundle may give, or that mean another one. */
  readonly foreign: ReadonlySet<string>;
  /** Fields of a live record that are not compared. */
  readonly ignored: ReadonlySet<string>;
}

function rulesOf(collection: CollectionDescriptor, defaults: BundleRecord): PlainRules {
  const { references, aliases, serverFields } = collection;
  const ignored = new Set(['id', 'tenant_id', ...serverFields]);
  return {
    collection,
    defaults,
    defaultFields: Object.keys(defaults).filter((field) => !ignored.has(field)),
    nameFields: new Set(references.flatMap(({ nameField }) => nameField ?? [])),
    foreign: new Set([...Object.keys(aliases), ...serverFields]),
    ignored,
  };
}

/** What a record gives, with IDs of live records in place of names; nothing when it is not plain. */
function withIds(
  record: BundleRecord,
  { collection, nameFields, foreign }: PlainRules,
  indexes: ReadonlyMap<string, RecordIndex>,
  tenantId: string | undefined,
): BundleRecord | undefined {
  const values: Record<string, unknown> = {};
  for (const field of Object.keys(record)) {
    const value = record[field];
    if (foreign.has(field) || (field === 'tenant_id' && value !== tenantId)) return undefined;
    if (!isAbsent(value) && field !== 'tenant_id' && !nameFields.has(field)) values[field] = value;
  }
  for (const { field, nameField, within, collection: target } of collection.references) {
    const name = nameField === undefined ? undefined : record[nameField];
    if (isAbsent(name)) continue;
    const found =
      typeof name === 'string' && values[field] === undefined
        ? indexes.get(target)?.withName(name, within === undefined ? undefined : values[within])
        : undefined;
    if (!found) return undefined;
    values[field] = found['id'];
  }
  return values;
}

/**
 * Whether checking what a record gives could only give the live record. Fields are gone through in place: a large bundle has
 * millions of them, and lists of them would be most of what has to be collected.
 */
function saysTheSame(
  given: BundleRecord,
  holder: BundleRecord,
  { collection, defaults, defaultFields, ignored }: PlainRules,
): boolean {
  const live = collection.completeLive?.(holder) ?? holder;
  for (const field in given) {
    // What the live record lacks is `undefined`, or a method that it inherits, which is like no value of a bundle.
    if (!isIdentical(given[field], live[field])) return false;
  }
  for (const field in live) {
    if (Object.hasOwn(given, field) || ignored.has(field) || isAbsent(live[field])) continue;
    if (!Object.hasOwn(defaults, field) || !isIdentical(live[field], defaults[field])) return false;
  }
  for (const field of defaultFields) if (isAbsent(live[field])) return false;
  return true;
}
