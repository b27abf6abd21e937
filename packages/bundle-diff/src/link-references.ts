import type { CheckedEntry } from './check-document.ts';
import type { CollectionDescriptor, RecordProblem, ReferenceDescriptor } from './descriptor.ts';
import { idOf } from './descriptor.ts';
import { isAbsent } from './json-values.ts';
import type { BundleRecord } from './json-values.ts';
import { pointerTo } from './json-pointer.ts';
import type { LinkedCollection } from './link-bundle.ts';

/** A reference that leads nowhere. */
export interface MissingTarget {
  readonly collection: CollectionDescriptor;
  /** The record that refers. */
  readonly entry: CheckedEntry;
  readonly reference: ReferenceDescriptor;
  /** JSON Pointer, within the record, of what was used: the ID's field, the name's, or an entry of a list. */
  readonly pointer: string;
  /** What the field says, with the scope that it was looked up in: the same for the same target. */
  readonly text: string;
}

/** Decides about a reference that leads nowhere: the mistake, or an ID that stands for the target. */
export type OnMissing = (missing: MissingTarget) => RecordProblem | { readonly standIn: string };

/** A record whose references all hold IDs, without its by-name fields; or what is wrong. */
type LinkedValues =
  | { readonly ok: true; readonly values: Record<string, unknown> }
  | { readonly ok: false; readonly problems: readonly RecordProblem[] };

/** Turns a record's by-name fields into IDs, in a copy. References come in the order of the descriptor, scopes first. */
export function linkReferences(
  collection: CollectionDescriptor,
  entry: CheckedEntry,
  known: ReadonlyMap<string, LinkedCollection>,
  onMissing: OnMissing,
): LinkedValues {
  if (collection.references.length === 0) return { ok: true, values: { ...entry.values } };
  const values = withoutNames(entry.values, collection);
  const problems: RecordProblem[] = [];
  for (const reference of collection.references) {
    const targets = known.get(reference.collection);
    const askMissing: AskMissing = (pointer, text) => onMissing({ collection, entry, reference, pointer, text });
    if (reference.many) {
      const list = linkList(reference, values, targets, askMissing);
      if (list.problems.length > 0) problems.push(...list.problems);
      else if (list.ids) values[reference.field] = list.ids;
      continue;
    }
    const outcome = linkOne(reference, entry.values, values, targets, askMissing);
    if ('code' in outcome) problems.push(outcome);
    else if (outcome.id !== undefined) values[reference.field] = outcome.id;
    // A scope that is not known makes every look-up inside it fail too: one mistake says it all.
    if ('code' in outcome && collection.references.some((other) => other.within === reference.field)) break;
  }
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}

const nameFields = new WeakMap<CollectionDescriptor, ReadonlySet<string>>();

/** Copied field by field: to take fields away from a copy would make it, and all that is done with it, several times slower. */
function withoutNames(given: BundleRecord, collection: CollectionDescriptor): Record<string, unknown> {
  let names = nameFields.get(collection);
  if (!names) {
    names = new Set(collection.references.flatMap(({ nameField, many }) => (many ? [] : (nameField ?? []))));
    nameFields.set(collection, names);
  }
  const values: Record<string, unknown> = {};
  for (const field of Object.keys(given)) if (!names.has(field)) values[field] = given[field];
  return values;
}

type AskMissing = (pointer: string, text: string) => ReturnType<OnMissing>;

/** An ID, perhaps one that only stands for a target that is not known here; or the mistake. */
type LinkOutcome = RecordProblem | { readonly id: string | undefined; readonly isStandIn?: true };

/** @param values the record as far as it is linked */
function linkOne(
  reference: ReferenceDescriptor,
  given: BundleRecord,
  values: BundleRecord,
  targets: LinkedCollection | undefined,
  onMissing: AskMissing,
): LinkOutcome {
  const { field, nameField } = reference;
  const id = textOf(values[field]);
  const name = nameField === undefined ? undefined : textOf(given[nameField]);
  if (id === undefined && name === undefined) return absent(reference);
  const within = reference.within === undefined ? undefined : values[reference.within];
  const resolve = (used: string, target: BundleRecord | undefined, text: string): LinkOutcome => {
    if (target) return { id: idOf(target) };
    const missing = onMissing(pointerTo('', used), text);
    return 'standIn' in missing ? { id: missing.standIn, isStandIn: true } : missing;
  };
  const byId = id === undefined ? undefined : resolve(field, targetWithId(targets, id, reference, within), id);
  if (byId !== undefined && 'code' in byId) return byId;
  if (name === undefined || nameField === undefined) return byId ?? { id: undefined };
  const byName = resolve(nameField, targetWithName(targets, name, within), JSON.stringify([within, name]));
  if ('code' in byName || byId === undefined || byId.id === byName.id) return byName;
  // Of a target that is not known here nobody can say that it is another one.
  if (byId.isStandIn === true || byName.isStandIn === true) return byId;
  return { pointer: pointerTo('', nameField), code: 'contradiction', message: `names another record than ${field}` };
}

/** The IDs of a list's entries, none where the record has no list; and what is wrong with the others. */
function linkList(
  reference: ReferenceDescriptor,
  values: BundleRecord,
  targets: LinkedCollection | undefined,
  onMissing: AskMissing,
): { readonly ids: readonly string[] | undefined; readonly problems: readonly RecordProblem[] } {
  const entries = values[reference.field];
  if (!Array.isArray(entries)) return { ids: undefined, problems: [] };
  const within = reference.within === undefined ? undefined : values[reference.within];
  const ids = new Set<string>();
  const problems: RecordProblem[] = [];
  entries.map(String).forEach((entry, position) => {
    const pointer = pointerTo(pointerTo('', reference.field), position);
    const target = targetWithId(targets, entry, reference, within) ?? targetWithName(targets, entry, within);
    const outcome = target ? { standIn: idOf(target) } : onMissing(pointer, JSON.stringify([within, entry]));
    if ('code' in outcome) problems.push(outcome);
    else if (ids.has(outcome.standIn)) {
      problems.push({ pointer, code: 'duplicate', message: 'means the same record as an earlier entry' });
    } else ids.add(outcome.standIn);
  });
  return { ids: [...ids], problems };
}

function absent(reference: ReferenceDescriptor): RecordProblem | { readonly id: undefined } {
  if (!reference.required) return { id: undefined };
  const { field, nameField } = reference;
  const message = nameField === undefined ? 'is required' : `${field} or ${nameField} is required`;
  return { pointer: pointerTo('', field), code: 'required', message };
}

function targetWithId(
  targets: LinkedCollection | undefined,
  id: string,
  reference: ReferenceDescriptor,
  within: unknown,
): BundleRecord | undefined {
  const target = targets?.linked.withId(id) ?? targets?.live.withId(id);
  if (!target || reference.within === undefined || isAbsent(within)) return target;
  return target[reference.within] === within ? target : undefined;
}

function targetWithName(
  targets: LinkedCollection | undefined,
  name: string,
  within: unknown,
): BundleRecord | undefined {
  const inBundle = targets?.linked.withName(name, within);
  if (inBundle) return inBundle;
  const live = targets?.live.withName(name, within);
  // A live record that the bundle renames no longer answers to its old name.
  return live && targets?.linked.withId(idOf(live)) === undefined ? live : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
