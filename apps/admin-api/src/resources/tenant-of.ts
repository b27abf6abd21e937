import type { Family } from '@portcullis/resources';
import type { OperationInput } from '../http/operation.ts';
import type { Principal } from '../identity/principal.ts';
import type { TenantScope } from '../identity/tenant-scope.ts';
import type { Values } from './values.ts';

/** What the tenant of an operation is asked of, beside its query. */
export interface TenantClues {
  readonly body?: Values | undefined;
  /** Whether the operation is the family's list, which `Family.foreignLists` has a rule for. */
  readonly isList?: boolean;
}

/**
 * The tenant whose records an operation is about: the caller's, or the one that a super administrator names in the query or
 * body. Empty for families of the system, and for a super administrator's own records outside every tenant.
 * @throws Problem `tenant_required`, `tenant_mismatch` or `cross_tenant`. Source: spec, Authentication, 4 to 7
 */
export type TenantOf = (family: Family, input: OperationInput, clues?: TenantClues) => Promise<string>;

/** Makes the rule for records of the catalogue. */
export function createTenantOf(scope: TenantScope): TenantOf {
  return async (family, input, { body, isList = false } = {}) => {
    if (family.scope === 'system') return '';
    const { principal } = input;
    const seesOwnOnly = isList && family.foreignLists === 'own' && isBoundToTenant(principal);
    const question = {
      principal,
      ...(seesOwnOnly ? {} : { inQuery: input.query['tenant_id'] }),
      inBody: body?.['tenant_id'],
      isWrite: input.request.method !== 'GET' && input.request.method !== 'HEAD',
    };
    return family.tenantOptional === true ? scope.resolveOptional(question) : scope.resolve(question);
  };
}

/** Whether a caller can never act on another tenant than its own. */
function isBoundToTenant(principal: Principal): boolean {
  if (principal.kind === 'anonymous' || principal.tenantId === undefined) return false;
  return principal.kind !== 'user' || principal.role !== 'super_admin';
}
