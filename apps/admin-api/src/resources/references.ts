import type { Family, FamilyReference } from '@portcullis/resources';
import { familyNamed, metadataOf } from '@portcullis/resources';
import type { FieldProblem } from '../http/problem.ts';
import type { Executor } from '../database/database.ts';
import type { ReferenceValue, ResourceStore, StoredRecord } from '../store/resource-store.ts';
import { toPointer } from './json-pointer.ts';
import { without } from './values.ts';
import type { Values } from './values.ts';

/** Where references are looked up. */
export interface ReferenceContext {
  readonly store: ResourceStore;
  readonly executor: Executor;
  readonly tenantId: string;
  readonly gatewayId: string | null;
}

/** Values whose references are IDs of records that exist, or what is wrong. */
export type ResolvedReferences =
  | { readonly ok: true; readonly values: Values; readonly references: readonly ReferenceValue[] }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/**
 * Turns by-name references into IDs and checks that every target is there. A record of another tenant or gateway is
 * answered exactly like one that does not exist. Source: wire contract, Configuration operations.
 */
export async function resolveReferences(
  context: ReferenceContext,
  family: Family,
  values: Values,
): Promise<ResolvedReferences> {
  const problems: FieldProblem[] = [];
  const references: ReferenceValue[] = [];
  const resolved: Record<string, unknown> = { ...values };
  for (const reference of family.references) {
    const outcome = await resolveOne(context, family, reference, values);
    if ('pointer' in outcome) problems.push(outcome);
    if ('id' in outcome && outcome.id !== undefined) {
      resolved[reference.field] = outcome.id;
      references.push({ field: reference.field, targetFamily: reference.family, targetId: outcome.id });
    }
  }
  if (problems.length > 0) return { ok: false, problems };
  const twins = family.references.flatMap(({ nameField }) => nameField ?? []);
  return { ok: true, values: without(resolved, ...twins), references };
}

async function resolveOne(
  context: ReferenceContext,
  family: Family,
  reference: FamilyReference,
  values: Values,
): Promise<{ readonly id: string | undefined } | FieldProblem> {
  const id = textOf(values[reference.field]);
  const name = reference.nameField ? textOf(values[reference.nameField]) : undefined;
  if (id === undefined && name === undefined) {
    const schema = family.fields[reference.field];
    const isRequired = schema !== undefined && schema.type !== 'optional';
    if (isRequired) return { pointer: toPointer([reference.field]), code: 'required', message: 'is required' };
    return { id: undefined };
  }
  const byId = id === undefined ? undefined : await findById(context, reference, id);
  if (id !== undefined && !byId) return missing(reference, reference.field);
  if (name === undefined) return { id };
  const byName = await findByName(context, reference, name);
  if (!byName) return missing(reference, reference.nameField ?? reference.field);
  if (byId && byId.id !== byName.id) {
    return {
      pointer: toPointer([reference.nameField ?? '']),
      code: 'contradiction',
      message: `names another record than ${reference.field}`,
    };
  }
  return { id: byName.id };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

async function findById(
  context: ReferenceContext,
  reference: FamilyReference,
  id: string,
): Promise<StoredRecord | undefined> {
  const record = await context.store.get(context.executor, context.tenantId, reference.family, id);
  return record && isOnGateway(context, reference, record) ? record : undefined;
}

async function findByName(
  context: ReferenceContext,
  reference: FamilyReference,
  name: string,
): Promise<StoredRecord | undefined> {
  const key = familyNamed(reference.family).keys.find((candidate) => candidate.addressable);
  if (!key) return undefined;
  const scope = key.scope === 'gateway' ? `${context.tenantId}/${context.gatewayId ?? ''}` : context.tenantId;
  return context.store.findByKey(context.executor, reference.family, { keyName: key.name, scope, value: name });
}

/** Records of a gateway refer to that gateway's records only. */
function isOnGateway(context: ReferenceContext, reference: FamilyReference, record: StoredRecord): boolean {
  return reference.nameScope !== 'gateway' || context.gatewayId === null || record.gatewayId === context.gatewayId;
}

function missing(reference: FamilyReference, field: string): FieldProblem {
  const what = familyNamed(reference.family).singular.replaceAll('_', ' ');
  return { pointer: toPointer([field]), code: 'reference_not_found', message: `${what} not found` };
}

/** Fields that cannot change and did. */
export function changedImmutables(family: Family, before: Values, after: Values): FieldProblem[] {
  return Object.entries(family.fields)
    .filter(([name, schema]) => metadataOf(schema).immutable === true && before[name] !== after[name])
    .map(([name]) => ({ pointer: toPointer([name]), code: 'immutable', message: 'cannot be changed after creation' }));
}
