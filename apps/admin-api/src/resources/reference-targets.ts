import type { FamilyReference } from '@portcullis/resources';
import { familyNamed } from '@portcullis/resources';
import type { Executor } from '../database/database.ts';
import type { FieldProblem } from '../http/problem.ts';
import type { ResourceStore, StoredRecord, UniqueKeyValue } from '../store/resource-store.ts';

/** Where references are looked up. */
export interface ReferenceContext {
  readonly store: ResourceStore;
  readonly executor: Executor;
  readonly tenantId: string;
  readonly gatewayId: string | null;
}

/** The record of an ID that a reference gives, if the reference may mean it. */
export async function findById(
  context: ReferenceContext,
  reference: FamilyReference,
  id: string,
): Promise<StoredRecord | undefined> {
  const record = await context.store.get(context.executor, context.tenantId, reference.family, id);
  return record && isInReach(context, reference, record) ? record : undefined;
}

/** The record of a name that a reference gives, if the reference may mean it. */
export async function findByName(
  context: ReferenceContext,
  reference: FamilyReference,
  name: string,
): Promise<StoredRecord | undefined> {
  const key = nameKey(context, reference);
  return key && context.store.findByKey(context.executor, reference.family, { ...key, value: name });
}

/** The key by which a reference's targets are named, where their family has one. */
export function nameKey(
  context: ReferenceContext,
  reference: FamilyReference,
): Omit<UniqueKeyValue, 'value'> | undefined {
  const key = familyNamed(reference.family).keys.find((candidate) => candidate.addressable);
  if (!key) return undefined;
  const scope = key.scope === 'gateway' ? `${context.tenantId}/${context.gatewayId ?? ''}` : context.tenantId;
  return { keyName: key.name, scope };
}

/** Records of a gateway refer to that gateway's records only. */
export function isInReach(context: ReferenceContext, reference: FamilyReference, record: StoredRecord): boolean {
  return reference.nameScope !== 'gateway' || context.gatewayId === null || record.gatewayId === context.gatewayId;
}

/** The mistake of a reference that leads nowhere; a foreign record's reads exactly like an unknown one's. */
export function missing(reference: FamilyReference, pointer: string): FieldProblem {
  const what = familyNamed(reference.family).singular.replaceAll('_', ' ');
  return { pointer, code: 'reference_not_found', message: `${what} not found` };
}
