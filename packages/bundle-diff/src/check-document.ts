import { documentProblem, recordProblem } from './bundle-problem.ts';
import type { BundleDescriptor, BundleState, CollectionDescriptor } from './descriptor.ts';
import { isAbsent, isObject, isSameValue, withoutFields } from './json-values.ts';
import type { BundleRecord } from './json-values.ts';
import { pointerTo } from './json-pointer.ts';
import { knownRecords } from './known-records.ts';
import { hasAnyKey } from './ordinal-matcher.ts';
import type { ProblemList } from './problem-list.ts';

/** A record that passed its check, with where it stood in the document. */
export interface CheckedEntry {
  readonly index: number;
  readonly values: BundleRecord;
  /** Whether `values` is a live record, which the record leaves as it is; then that is the record's ID too. */
  readonly isKnown?: true;
}

/** Every record that is fine by itself. */
export interface CheckedDocument {
  readonly entries: ReadonlyMap<string, readonly CheckedEntry[]>;
  /** Records given, by collection. */
  readonly counts: Readonly<Record<string, number>>;
}

/** The tenant that a bundle is for, when it says so properly. */
export function tenantOf(document: unknown): string | undefined {
  const tenantId = isObject(document) ? document['tenant_id'] : undefined;
  return typeof tenantId === 'string' && tenantId !== '' ? tenantId : undefined;
}

/**
 * Checks the shape of a bundle and each of its records alone: aliases, fields, defaults, tenant. What is wrong goes into
 * `problems`. A bundle with more than `recordsMax` records gets that said and is not looked into.
 * @param live records that need no check where the bundle leaves them as they are. Default: all are checked
 */
export function checkDocument(
  document: unknown,
  descriptor: BundleDescriptor,
  problems: ProblemList,
  recordsMax: number,
  live: BundleState = {},
): CheckedDocument {
  const entries = new Map<string, readonly CheckedEntry[]>();
  const counts: Record<string, number> = {};
  if (!isObject(document)) {
    problems.add(() => documentProblem('', 'type', 'a bundle is an object with tenant_id and arrays of records'));
    return { entries, counts };
  }
  checkTopLevel(document, descriptor, problems);
  const tenantId = tenantOf(document);
  for (const { key } of descriptor.collections) counts[key] = recordsOf(document, key).length;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total > recordsMax) {
    problems.add(() =>
      documentProblem('', 'too_many_records', `holds ${total} records; at most ${recordsMax} are allowed`),
    );
    return { entries, counts };
  }
  const known = knownRecords(document, descriptor, live, tenantId);
  for (const collection of descriptor.collections) {
    const records = recordsOf(document, collection.key);
    const ownKnown = known.get(collection.key) ?? [];
    entries.set(collection.key, checkRecords(collection, records, ownKnown, tenantId, problems));
  }
  return { entries, counts };
}

function recordsOf(document: BundleRecord, key: string): readonly unknown[] {
  const given = document[key];
  return Array.isArray(given) ? given : [];
}

function checkTopLevel(document: BundleRecord, descriptor: BundleDescriptor, problems: ProblemList): void {
  if (tenantOf(document) === undefined) {
    problems.add(() => documentProblem('/tenant_id', 'required', 'tenant_id is required and must be a text'));
  }
  const known = new Set(['tenant_id', ...descriptor.collections.map((collection) => collection.key)]);
  for (const [key, value] of Object.entries(document)) {
    const pointer = pointerTo('', key);
    if (!known.has(key)) problems.add(() => documentProblem(pointer, 'unknown_field', 'is not a key of a bundle'));
    else if (key !== 'tenant_id' && value !== null && !Array.isArray(value)) {
      problems.add(() => documentProblem(pointer, 'type', 'must be a list of records'));
    }
  }
}

function checkRecords(
  collection: CollectionDescriptor,
  records: readonly unknown[],
  known: readonly (BundleRecord | undefined)[],
  tenantId: string | undefined,
  problems: ProblemList,
): CheckedEntry[] {
  const passed: CheckedEntry[] = [];
  records.forEach((record, index) => {
    const live = known[index];
    if (live) {
      const isItself = hasAnyKey(live, collection);
      passed.push(isItself ? { index, values: live, isKnown: true } : { index, values: contentOf(collection, live) });
      return;
    }
    const checked = isObject(record)
      ? checkRecord(collection, record, tenantId)
      : ({ ok: false, problems: [{ pointer: '', code: 'type', message: 'must be an object' }] } as const);
    if (checked.ok) passed.push({ index, values: checked.values });
    else for (const problem of checked.problems) problems.add(() => recordProblem(collection, index, record, problem));
  });
  return passed;
}

/** What checking a record gives that has the content of a live one. */
function contentOf(collection: CollectionDescriptor, live: BundleRecord): BundleRecord {
  return withoutFields(collection.completeLive?.(live) ?? live, fieldsOf(collection).ofStore);
}

function checkRecord(collection: CollectionDescriptor, record: BundleRecord, tenantId: string | undefined) {
  const problems = [];
  const own = record['tenant_id'];
  if (own !== undefined && own !== null && tenantId !== undefined && own !== tenantId) {
    problems.push({ pointer: '/tenant_id', code: 'tenant_mismatch', message: "differs from the bundle's tenant_id" });
  }
  const values = withoutFields(record, fieldsOf(collection).outside);
  for (const [alias, field] of Object.entries(collection.aliases)) {
    if (!Object.hasOwn(values, alias)) continue;
    if (Object.hasOwn(values, field) && !isSameValue(values[alias], values[field])) {
      problems.push({ pointer: pointerTo('', alias), code: 'contradiction', message: `contradicts ${field}` });
    } else values[field] = values[alias];
    delete values[alias];
  }
  const ownNames: Record<string, unknown> = {};
  for (const field of collection.ownNameFields) {
    const name = record[field];
    if (isAbsent(name)) continue;
    if (typeof name === 'string' && name !== '') ownNames[field] = name;
    else problems.push({ pointer: pointerTo('', field), code: 'type', message: 'must be the name of a record' });
  }
  const checked = collection.check(values);
  if (!checked.ok) problems.push(...checked.problems);
  return checked.ok && problems.length === 0
    ? ({ ok: true, values: { ...withoutFields(checked.values, fieldsOf(collection).server), ...ownNames } } as const)
    : ({ ok: false, problems } as const);
}

/** Fields of a record that are left out of it, before and after it is checked. */
interface LeftOut {
  /** What says where the record is; the check does not know it. */
  readonly outside: ReadonlySet<string>;
  /** What a check derived but nobody may write is no part of a bundle's record. */
  readonly server: ReadonlySet<string>;
  /** What a live record has beside that. */
  readonly ofStore: ReadonlySet<string>;
}

const leftOut = new WeakMap<CollectionDescriptor, LeftOut>();

function fieldsOf(collection: CollectionDescriptor): LeftOut {
  let fields = leftOut.get(collection);
  if (!fields) {
    const { ownNameFields, serverFields } = collection;
    fields = {
      outside: new Set(['tenant_id', ...ownNameFields]),
      server: new Set(serverFields),
      ofStore: new Set(['id', 'tenant_id', ...serverFields]),
    };
    leftOut.set(collection, fields);
  }
  return fields;
}
