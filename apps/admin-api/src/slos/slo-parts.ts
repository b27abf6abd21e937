import { familyNamed } from '@portcullis/resources';
import type { Executor } from '../database/database.ts';
import type { OperationInput } from '../http/operation.ts';
import type { TenantScope } from '../identity/tenant-scope.ts';
import type { RecordReader } from '../resources/record-reader.ts';
import { isValues, type Values } from '../resources/values.ts';
import type { WriteSessionParts } from '../resources/write-session.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import { sloFamily } from './slo-definition.ts';

/** What the operations of objectives work with. */
export interface SloOperationParts extends WriteSessionParts {
  readonly store: ResourceStore;
  readonly reader: RecordReader;
  readonly scope: TenantScope;
  readonly nowMs: () => number;
  readonly newId: () => string;
}

/** Tag of the operations in the API description: that of the family. */
export const sloTag: string = sloFamily;

/** The fields of a body that may be missing. */
export function fieldsOf(input: OperationInput): Values {
  return isValues(input.body) ? input.body : {};
}

/** The tenant that an operation is about. @throws Problem. Source: spec, Authentication, 4 to 7 */
export function tenantOf(parts: SloOperationParts, input: OperationInput): Promise<string> {
  return parts.scope.resolve({
    principal: input.principal,
    inQuery: input.query['tenant_id'],
    inBody: fieldsOf(input)['tenant_id'],
    isWrite: input.request.method === 'POST',
  });
}

/** The objective that the path names. @param executor an open transaction, if there is one. @throws Problem `not_found` */
export function objectiveInPath(
  { reader, database }: SloOperationParts,
  input: OperationInput,
  tenantId: string,
  executor: Executor = database.read,
): Promise<StoredRecord> {
  const place = { tenantId, gatewayId: null };
  const id = input.path['slo_id'] ?? '';
  return reader.find(executor, input.principal, familyNamed(sloFamily), place, id);
}
