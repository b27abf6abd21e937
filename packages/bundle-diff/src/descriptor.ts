import type { BundleRecord } from './json-values.ts';

/** A mistake in one record. */
export interface RecordProblem {
  /** JSON Pointer into the record. */
  readonly pointer: string;
  /** Stable rule name such as `required`. */
  readonly code: string;
  readonly message: string;
}

/** A record as it would be stored, defaults and derived fields filled in; or everything that is wrong with it. */
export type CheckedRecord =
  | { readonly ok: true; readonly values: BundleRecord }
  | { readonly ok: false; readonly problems: readonly RecordProblem[] };

/** Values that no two records of a collection share within a scope. */
export interface NaturalKey {
  readonly fields: readonly string[];
  /** The field that holds the ID of the record within which the values are unique; absent: within the whole bundle. */
  readonly within?: string;
  /** Whether by-name references mean this key. */
  readonly addressable?: boolean;
}

/** A field that holds the ID of another record, or a list of them. */
export interface ReferenceDescriptor {
  readonly field: string;
  /** Whether the field is a list. Each entry is an ID or, where no record has that ID, a name; resolved, all are IDs. */
  readonly many?: true;
  /** Key of the collection that is pointed to. */
  readonly collection: string;
  /** A field that may give the target's name in place of its ID. It is not part of the stored record. */
  readonly nameField?: string;
  /** The field, of both records, that must hold the same ID: names are looked up within it, and IDs must lie in it. */
  readonly within?: string;
  readonly required: boolean;
  /** Whether strict validation insists that the target is in the bundle itself. */
  readonly strict: boolean;
}

/** One array of a bundle and how its records are told apart, checked and compared. */
export interface CollectionDescriptor {
  /** The bundle's key, and the `resource_type` of results. */
  readonly key: string;
  /** Records of lower levels are created first; within a level the order of the descriptor counts. */
  readonly level: number;
  /** What a record points to. Targets must come earlier in the descriptor. */
  readonly references: readonly ReferenceDescriptor[];
  readonly keys: readonly NaturalKey[];
  /**
   * Fields by which records that have no natural key are paired, because the collection has none or they lack its fields:
   * the nth of the bundle with the nth live one.
   */
  readonly matchBy: readonly string[];
  /** Other names that a bundle may use for a field: alias → field. */
  readonly aliases: Readonly<Record<string, string>>;
  /** List fields whose order means nothing. */
  readonly sets: readonly string[];
  /** Fields that only the server sets: never compared, and left out of what `check` gives. */
  readonly serverFields: readonly string[];
  /** Fields that a read does not show: absent in a bundle means "as it is". */
  readonly keptWhenAbsent: readonly string[];
  /** Fields that cannot change after creation. */
  readonly immutable: readonly string[];
  /** Secrets that a new record must bring: the store would make them up, and nobody would ever see them. Default: none. */
  readonly requiredWhenNew?: (record: BundleRecord) => readonly string[];
  /**
   * Checks a record of a bundle and fills its defaults. It gets the by-name fields of `references` as they were given, but
   * for those that name what the record lies in (`ownNameFields`).
   */
  readonly check: (record: BundleRecord) => CheckedRecord;
  /**
   * What `check` gives for fields that a record leaves out, whatever else it has. Given, records that leave a live one as it
   * is are not checked again: what `check` makes of a live record must be that record. Default: all are checked.
   */
  readonly defaults?: BundleRecord;
  /** By-name fields that `check` does not know, such as a route's `gateway_name`. */
  readonly ownNameFields: readonly string[];
  /** Fills defaults that a live record lacks because it was stored before they existed. */
  readonly completeLive?: (record: BundleRecord) => BundleRecord;
  /** JSON Pointers of a record's secrets, within the record. */
  readonly secretsOf?: (record: BundleRecord) => readonly string[];
  /** Whether a plain secret of the bundle is the one that the live record has. Default: the two values are equal. */
  readonly isSameSecret?: (live: BundleRecord, desired: BundleRecord, pointer: string) => boolean;
}

/** All collections of a kind of bundle, ordered so that references point backwards. */
export interface BundleDescriptor {
  readonly collections: readonly CollectionDescriptor[];
}

/** Records by collection. Each has an `id`; references hold IDs. */
export type BundleState = Readonly<Record<string, readonly BundleRecord[]>>;

/** A record's ID. @throws TypeError for a record without one: a bug of the caller */
export function idOf(record: BundleRecord): string {
  const id = record['id'];
  if (typeof id !== 'string') throw new TypeError('a live or resolved record has no id');
  return id;
}

/** What people call a record: its name, else the first text among its natural keys, else nothing. */
export function nameOf(record: BundleRecord, collection: CollectionDescriptor): string | null {
  for (const field of ['name', ...collection.keys.flatMap((key) => key.fields)]) {
    const value = record[field];
    if (typeof value === 'string') return value;
  }
  return null;
}
