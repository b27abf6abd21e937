import { isFieldName, isFieldValue } from './header-field.ts';
import type { HeaderEdit } from './header-view.ts';

/**
 * Edits that were checked, copied: op, name and value by turns. Whoever gave the edits may change them afterwards; the copy
 * stays what was checked.
 */
export type CheckedEdits = readonly string[];

/**
 * Checks edits and copies them. Edits that cannot change any more (the list and each edit are frozen) are checked once,
 * however many requests they are returned for.
 * @throws TypeError for an edit that no header may be made of; the value is never part of the message
 */
export function checkedEdits(edits: readonly HeaderEdit[]): CheckedEdits {
  if (!Array.isArray(edits)) throw new TypeError('header edits are a list');
  if (!Object.isFrozen(edits)) return copied(edits);
  const known = constants.get(edits);
  if (known !== undefined) return known;
  const checked = copied(edits);
  if (edits.every(Object.isFrozen)) constants.set(edits, checked);
  return checked;
}

/** Edits that plugins made once, in `setup`. An entry goes with its list. */
const constants = new WeakMap<readonly HeaderEdit[], CheckedEdits>();

function copied(edits: readonly HeaderEdit[]): CheckedEdits {
  const copy = Array<string>(edits.length * 3);
  let at = 0;
  for (let index = 0; index < edits.length; index += 1) {
    const { op, name, value } = edits[index] as HeaderEdit;
    if (!OPS.has(op)) throw new TypeError('a header edit has an unknown op');
    if (!isFieldName(name)) throw new TypeError('a header edit has a name that no header may have');
    if (op !== 'remove' && !(op === 'rename' ? isFieldName(value) : isFieldValue(value))) {
      throw new TypeError(`the edit of header ${name} has a value that no header may have`);
    }
    copy[at] = op;
    copy[at + 1] = name;
    copy[at + 2] = value ?? '';
    at += 3;
  }
  return copy;
}

const OPS: ReadonlySet<string> = new Set<HeaderEdit['op']>([
  'set',
  'append',
  'set_if_absent',
  'set_if_present',
  'remove',
  'rename',
]);
