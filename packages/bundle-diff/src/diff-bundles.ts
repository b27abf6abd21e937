import type { BundleDescriptor, BundleState, CollectionDescriptor } from './descriptor.ts';
import { idOf, nameOf } from './descriptor.ts';
import { diffValues } from './diff-values.ts';
import type { ValueDifference } from './diff-values.ts';
import { withoutFields } from './json-values.ts';
import type { BundleRecord } from './json-values.ts';
import { valueAt } from './json-pointer.ts';
import { asDesired, redacted, secretPlaces } from './redaction.ts';

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

/**
 * Compares the live state with what a bundle asks for. Records are matched by ID; null counts as absent, lists without
 * order are compared as sets, and no secret is in the result. Linear in the number of records.
 * @param desired resolved records, see `resolveBundle`
 */
export function diffBundles(live: BundleState, desired: BundleState, descriptor: BundleDescriptor): BundleDiff {
  const changes: ResourceChange[] = [];
  const unmanaged: UnmanagedRecord[] = [];
  let unchanged = 0;
  for (const collection of descriptor.collections) {
    const before = new Map((live[collection.key] ?? []).map((record) => [idOf(record), record]));
    const compare = comparer(collection);
    for (const record of desired[collection.key] ?? []) {
      const change = compare(before.get(idOf(record)), record);
      if (change) changes.push(change);
      else unchanged += 1;
      before.delete(idOf(record));
    }
    for (const [id, record] of before) {
      unmanaged.push({ resource_type: collection.key, id, name: nameOf(record, collection) });
    }
  }
  const create = changes.filter((change) => change.action === 'create').length;
  const update = changes.length - create;
  const total = changes.length + unchanged + unmanaged.length;
  const summary = { create, update, unchanged, unmanaged: unmanaged.length, total };
  return { in_sync: changes.length === 0, summary, changes, unmanaged };
}

/** Compares records of one collection; gives nothing for those that agree. */
function comparer(
  collection: CollectionDescriptor,
): (live: BundleRecord | undefined, desired: BundleRecord) => ResourceChange | undefined {
  const sets = new Set(collection.sets);
  const ignored = new Set(['id', 'tenant_id', ...collection.serverFields]);
  return (live, desired) => {
    const before = live && withoutFields(collection.completeLive?.(live) ?? live, ignored);
    const after = withoutFields(live ? asDesired(live, desired, collection) : desired, ignored);
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

function describe(
  before: BundleRecord,
  after: BundleRecord,
  differences: readonly ValueDifference[],
  collection: CollectionDescriptor,
): FieldChange[] {
  const secrets = [...secretPlaces(before, collection), ...secretPlaces(after, collection)];
  const [shownBefore, shownAfter] = [redacted(before, collection), redacted(after, collection)];
  return differences.map(({ path, op }): FieldChange => {
    const isSecret = secrets.some((pointer) => pointer === path || pointer.startsWith(`${path}/`));
    return {
      path,
      op,
      ...(op === 'add' ? {} : { old: valueAt(shownBefore, path) }),
      ...(op === 'remove' ? {} : { new: valueAt(shownAfter, path) }),
      ...(isSecret ? { secret_changed: true } : {}),
    };
  });
}
