import type { Family } from '@portcullis/resources';
import type { OperationInput } from '../http/operation.ts';
import type { TenantScope } from '../identity/tenant-scope.ts';
import type { Values } from './values.ts';

/**
 * The tenant whose records an operation is about: the caller's, or the one that a super administrator names in the query or
 * body. Empty for families of the system, and for a super administrator's own records outside every tenant.
 * @throws Problem `tenant_required`, `tenant_mismatch` or `cross_tenant`. Source: spec, Authentication, 4 to 7
 */
export type TenantOf = (family: Family, input: OperationInput, body?: Values) => Promise<string>;

/** Makes the rule for records of the catalogue. */
export function createTenantOf(scope: TenantScope): TenantOf {
  return async (family, input, body) => {
    if (family.scope === 'system') return '';
    const question = {
      principal: input.principal,
      inQuery: input.query['tenant_id'],
      inBody: body?.['tenant_id'],
      isWrite: input.request.method !== 'GET' && input.request.method !== 'HEAD',
    };
    return family.tenantOptional === true ? scope.resolveOptional(question) : scope.resolve(question);
  };
}
