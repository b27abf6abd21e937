import type { BundleDescriptor, BundleState, CollectionDescriptor } from './descriptor.ts';
import { idOf, nameOf } from './descriptor.ts';
import { diffValues } from './diff-values.ts';
import type { ValueDifference } from './diff-values.ts';
import { isAbsent, isSameValue, ownValue, withoutFields } from './json-values.ts';
import type { BundleRecord } from './json-values.ts';
import { valueAt, withAncestors } from './json-pointer.ts';
import { asDesired, redacted, secretPlaces } from './redaction.ts';
import type { ResolvedBundle } from './resolve-bundle.ts';

/** A field that changes. `old` and `new` are there as far as there is an old and a new value. */
export interface FieldChange {
  /** JSON Pointer into the record. */
  readonly path: string;
  readonly op: 'add' | 'remove' | 'replace';
  readonly old?: unknown;
  readonly new?: unknown;
  /** Given when a secret is among what changes; the values then show masks. */
  readonly secret_changed?: true;
}

/** A record that is created or updated. Nothing is ever deleted. */
export interface ResourceChange {
  readonly action: 'create' | 'update';
  readonly resource_type: string;
  readonly id: string;
  readonly name: string | null;
  readonly fields: readonly FieldChange[];
}

/** A live record that the bundle does not mention. */
export interface UnmanagedRecord {
  readonly resource_type: string;
  readonly id: string;
  readonly name: string | null;
}

/** What applying a bundle would change. Source: wire contract, Configuration operations. */
export interface BundleDiff {
  readonly in_sync: boolean;
  readonly summary: {
    readonly create: number;
    readonly update: number;
    readonly unchanged: number;
    readonly unmanaged: number;
    /** Sum of the four. */
    readonly total: number;
  };
  /** By collection in the descriptor's order, within it in the order of `desired`. */
  readonly changes: readonly ResourceChange[];
  readonly unmanaged: readonly UnmanagedRecord[];
}

/** Options of {@link diffBundles}. */
export interface DiffBundlesOptions {
  /** `ResolvedBundle.liveOf` of what `desired` comes from: what is matched already is not looked up again. Default: it is. */
  readonly liveOf?: ResolvedBundle['liveOf'];
  /** How many unmanaged records are listed; the summary counts all. Default: all. */
  readonly unmanagedMax?: number;
  /** After so many changes the fields of further new records, which are all that they have, are an empty list. Default: never. */
  readonly describedMax?: number;
}

/**
 * Compares the live state with what a bundle asks for. Records are matched by ID; null counts as absent, lists without
 * order are compared as sets, and no secret is in the result. Linear in the number of records.
 * @param desired resolved records, see `resolveBundle`
 */
export function diffBundles(
  live: BundleState,
  desired: BundleState,
  descriptor: BundleDescriptor,
  options: DiffBundlesOptions = {},
): BundleDiff {
  const { liveOf, unmanagedMax = Number.POSITIVE_INFINITY, describedMax = Number.POSITIVE_INFINITY } = options;
  const changes: ResourceChange[] = [];
  const unmanaged: UnmanagedRecord[] = [];
  let unchanged = 0;
  let left = 0;
  for (const collection of descriptor.collections) {
    const stored = live[collection.key] ?? [];
    const wanted = desired[collection.key] ?? [];
    const matched = liveOf?.[collection.key] ?? matchById(stored, wanted);
    const compare = comparer(collection);
    let managed = 0;
    for (const [index, record] of wanted.entries()) {
      const known = matched[index];
      if (known) managed += 1;
      const isDescribed = known !== undefined || changes.length < describedMax;
      const change = isDescribed ? compare(known, record) : undescribed(record, collection);
      if (change) changes.push(change);
      else unchanged += 1;
    }
    left += stored.length - managed;
    if (stored.length > managed)
      unmanaged.push(...unmatched(stored, matched, collection, unmanagedMax - unmanaged.length));
  }
  const create = changes.filter((change) => change.action === 'create').length;
  const update = changes.length - create;
  const total = changes.length + unchanged + left;
  const summary = { create, update, unchanged, unmanaged: left, total };
  return { in_sync: changes.length === 0, summary, changes, unmanaged };
}

/** The live record of each of some records, by ID. */
function matchById(
  stored: readonly BundleRecord[],
  wanted: readonly BundleRecord[],
): readonly (BundleRecord | undefined)[] {
  const byId = new Map(stored.map((record) => [idOf(record), record]));
  return wanted.map((record) => byId.get(idOf(record)));
}

/** The first live records that none of the bundle is. */
function unmatched(
  stored: readonly BundleRecord[],
  matched: readonly (BundleRecord | undefined)[],
  collection: CollectionDescriptor,
  listedMax: number,
): readonly UnmanagedRecord[] {
  const listed: UnmanagedRecord[] = [];
  const managed = new Set(matched);
  for (const record of stored) {
    if (listed.length >= listedMax) break;
    if (managed.has(record)) continue;
    listed.push({ resource_type: collection.key, id: idOf(record), name: nameOf(record, collection) });
  }
  return listed;
}

function undescribed(record: BundleRecord, collection: CollectionDescriptor): ResourceChange {
  const place = { resource_type: collection.key, id: idOf(record), name: nameOf(record, collection) };
  return { action: 'create', ...place, fields: [] };
}

/** Compares records of one collection; gives nothing for those that agree. */
function comparer(
  collection: CollectionDescriptor,
): (live: BundleRecord | undefined, desired: BundleRecord) => ResourceChange | undefined {
  const sets = new Set(collection.sets);
  const ignored = new Set(['id', 'tenant_id', ...collection.serverFields]);
  return (live, desired) => {
    if (live === desired) return undefined;
    const known = live && (collection.completeLive?.(live) ?? live);
    const wanted = live ? asDesired(live, desired, collection) : desired;
    if (known && isSameRecord(known, wanted, ignored)) return undefined;
    const before = known && withoutFields(known, ignored);
    const after = withoutFields(wanted, ignored);
    const differences = diffValues(before ?? {}, after, sets);
    if (before && differences.length === 0) return undefined;
    return {
      action: before ? 'update' : 'create',
      resource_type: collection.key,
      id: idOf(desired),
      name: nameOf(desired, collection),
      fields: describe(before ?? {}, after, differences, collection),
    };
  };
}

/** Whether two records agree as they stand, which most do. Those that do not may still be the same: sets have no order. */
function isSameRecord(live: BundleRecord, desired: BundleRecord, ignored: ReadonlySet<string>): boolean {
  for (const field in live)
    if (!ignored.has(field) && !isSameValue(live[field], ownValue(desired, field))) return false;
  for (const field in desired) {
    if (!ignored.has(field) && !isAbsent(desired[field]) && !Object.hasOwn(live, field)) return false;
  }
  return true;
}

function describe(
  before: BundleRecord,
  after: BundleRecord,
  differences: readonly ValueDifference[],
  collection: CollectionDescriptor,
): FieldChange[] {
  const secrets = withAncestors([...secretPlaces(before, collection), ...secretPlaces(after, collection)]);
  const [shownBefore, shownAfter] = [redacted(before, collection), redacted(after, collection)];
  return differences.map(({ path, op }): FieldChange => {
    return {
      path,
      op,
      ...(op === 'add' ? {} : { old: valueAt(shownBefore, path) }),
      ...(op === 'remove' ? {} : { new: valueAt(shownAfter, path) }),
      ...(secrets.has(path) ? { secret_changed: true } : {}),
    };
  });
}
