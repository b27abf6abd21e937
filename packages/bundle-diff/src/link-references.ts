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
  /** The field that was used: the ID's or the name's. */
  readonly field: string;
  /** What the field says, with the scope that it was looked up in: the same for the same target. */
  readonly text: string;
}

/** Decides about a reference that leads nowhere: the mistake, or an ID that stands for the target. */
export type OnMissing = (missing: MissingTarget) => RecordProblem | { readonly standIn: string };

/** A record whose references all hold IDs, without its by-name fields; or what is wrong. */
type LinkedValues =
  | { readonly ok: true; readonly values: BundleRecord }
  | { readonly ok: false; readonly problems: readonly RecordProblem[] };

/** Turns a record's by-name fields into IDs. References come in the order of the descriptor, scopes first. */
export function linkReferences(
  collection: CollectionDescriptor,
  entry: CheckedEntry,
  known: ReadonlyMap<string, LinkedCollection>,
  onMissing: OnMissing,
): LinkedValues {
  const values: Record<string, unknown> = { ...entry.values };
  const problems: RecordProblem[] = [];
  for (const reference of collection.references) {
    const outcome = linkOne(reference, values, known.get(reference.collection), (field, text) =>
      onMissing({ collection, entry, reference, field, text }),
    );
    if ('code' in outcome) problems.push(outcome);
    else if (outcome.id !== undefined) values[reference.field] = outcome.id;
    if (reference.nameField !== undefined) delete values[reference.nameField];
    // A scope that is not known makes every look-up inside it fail too: one mistake says it all.
    if ('code' in outcome && collection.references.some((other) => other.within === reference.field)) break;
  }
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}

/** An ID, perhaps one that only stands for a target that is not known here; or the mistake. */
type LinkOutcome = RecordProblem | { readonly id: string | undefined; readonly isStandIn?: true };

function linkOne(
  reference: ReferenceDescriptor,
  values: BundleRecord,
  targets: LinkedCollection | undefined,
  onMissing: (field: string, text: string) => ReturnType<OnMissing>,
): LinkOutcome {
  const { field, nameField } = reference;
  const id = textOf(values[field]);
  const name = nameField === undefined ? undefined : textOf(values[nameField]);
  if (id === undefined && name === undefined) return absent(reference);
  const within = reference.within === undefined ? undefined : values[reference.within];
  const resolve = (used: string, target: BundleRecord | undefined, text: string): LinkOutcome => {
    if (target) return { id: idOf(target) };
    const missing = onMissing(used, text);
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
  return live && !targets?.claimed.has(idOf(live)) ? live : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
