import { isRecordId, nameFields } from '@portcullis/resources';
import type { Family } from '@portcullis/resources';
import type { OperationInput } from '../http/operation.ts';
import { preconditionFailedStatus, Problem } from '../http/problem.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import { takePlace } from './record-input.ts';
import { isValues, mergePatch } from './values.ts';
import type { Values } from './values.ts';

/** Where a family's records are, for one request. */
export interface Place {
  readonly tenantId: string;
  readonly gatewayId: string | null;
  /** What the path says of the gateway, where it names one. */
  readonly gatewayInPath?: string | undefined;
  /** The record below whose path this one is, where the family has one. */
  readonly parentId?: string;
}

/** The body of a write. @throws Problem when it is no object */
export function bodyOf(input: OperationInput): Values {
  if (isValues(input.body)) return input.body;
  throw new Problem('validation_failed', '1 field is invalid', {
    errors: [{ pointer: '', code: 'type', message: 'must be an object' }],
  });
}

function idSent(sent: Values): string | undefined {
  return typeof sent['id'] === 'string' ? checkedId(sent['id']) : undefined;
}

/** The ID that a caller supplied, if any. @throws Problem for one that is malformed */
export function idPart(sent: Values): { id?: string } {
  const id = idSent(sent);
  return id === undefined ? {} : { id };
}

/** @throws Problem for an ID that callers may not supply. Source: wire contract, Lists and records */
export function checkedId(id: string): string {
  if (isRecordId(id)) return id;
  throw new Problem('validation_failed', '1 field is invalid', {
    errors: [{ pointer: '/id', code: 'format', message: 'must be 1 to 128 of A-Z a-z 0-9 . _ ~ - and not only dots' }],
  });
}

/** The sent fields that are the family's own. @throws Problem for a changed field that only the server sets */
export function ownFields(
  family: Family,
  sent: Values,
  place: Place & { readonly id?: string },
  shown: Values | undefined,
): Values {
  const taken = takePlace(family, sent, { ...place, id: place.id }, shown);
  if (taken.ok) return taken.values;
  throw new Problem('validation_failed', 'fields that only the server sets', { errors: taken.problems });
}

/**
 * The fields with the reference that an alias path gives. The body may repeat it, by its ID or as the path has it.
 * @throws Problem when the body says otherwise
 */
export function withParent(
  sent: Values,
  field: string,
  parent: { readonly id: string; readonly inPath: string | undefined },
): Values {
  const { id: parentId, inPath } = parent;
  if ([undefined, parentId, inPath].includes(sent[field] as string | undefined)) return { ...sent, [field]: parentId };
  throw new Problem('validation_failed', '1 field is invalid', {
    errors: [{ pointer: `/${field}`, code: 'contradiction', message: 'contradicts the path' }],
  });
}

/**
 * A record's fields with a patch over them. A reference given by name replaces the stored ID. Fields that the family does not
 * have stay in it, also those that the patch would remove: the check of the result refuses them.
 */
export function patched(family: Family, stored: StoredRecord, patch: Values): Values {
  const base = Object.fromEntries(Object.entries(stored.body).filter(([name]) => name in family.fields));
  for (const { field, nameField } of family.references) {
    if (nameField && Object.hasOwn(patch, nameField) && !Object.hasOwn(patch, field)) delete base[field];
  }
  for (const [alias, name] of Object.entries(family.fieldAliases ?? {})) {
    if (Object.hasOwn(patch, alias) && !Object.hasOwn(patch, name)) delete base[name];
  }
  const known = new Set([
    ...Object.keys(family.fields),
    ...Object.keys(family.fieldAliases ?? {}),
    ...Object.keys(nameFields(family)),
  ]);
  const unknown = Object.entries(patch).filter(([name]) => !known.has(name));
  const merged = mergePatch(base, patch);
  return { ...(isValues(merged) && merged), ...Object.fromEntries(unknown) };
}

/** @throws Problem `revision_conflict`, as a 412, when the caller expected another revision */
export function checkIfMatch(input: OperationInput, stored: Pick<StoredRecord, 'revision'> | undefined): void {
  const expected = input.request.header('if-match');
  if (expected === undefined) return;
  // Compared strongly: a weak tag never matches. Source: RFC 9110, 13.1.1
  const tags = expected.split(',').map((tag) => tag.trim());
  const matches = stored !== undefined && (tags.includes('*') || tags.includes(`"${stored.revision}"`));
  if (matches) return;
  throw new Problem('revision_conflict', 'the record is at another revision', { status: preconditionFailedStatus });
}
