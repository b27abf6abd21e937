import type { Database } from '../database/database.ts';
import { Problem } from '../http/problem.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import type { Principal } from './principal.ts';
import { identityFamilies } from './user-directory.ts';

/** What an operation knows about the tenant it is to act on. */
export interface TenantQuestion {
  readonly principal: Principal;
  /** `tenant_id` of the query; anything but a text counts as not given. */
  readonly inQuery?: unknown;
  /** `tenant_id` of the body. */
  readonly inBody?: unknown;
  /** Records of a deleted tenant may still be read, never written. Source: wire contract, small rules. */
  readonly isWrite: boolean;
}

/** Decides which tenant's records an operation is about. A tenant is never inferred from a resource's name. */
export interface TenantScope {
  /**
   * The tenant. @throws Problem `tenant_required` when a caller without a tenant names none, `tenant_mismatch` when query
   * and body differ, `cross_tenant` for a foreign tenant and for one that does not exist
   */
  resolve(question: TenantQuestion): Promise<string>;
  /** The same, but empty when a caller without a tenant names none: the system's own records. */
  resolveOptional(question: TenantQuestion): Promise<string>;
}

/** The rule of spec, Authentication, 4 to 7, for every family. */
export function createTenantScope(database: Database, store: ResourceStore): TenantScope {
  const resolveOptional = async (question: TenantQuestion): Promise<string> => {
    const named = namedTenant(question);
    const { principal } = question;
    const own = principal.kind === 'anonymous' ? undefined : principal.tenantId;
    if (named === undefined || named === own) return own ?? '';
    if (!mayNameAnyTenant(principal) || !(await exists(named, question.isWrite))) throw foreign();
    return named;
  };
  const exists = async (tenantId: string, isWrite: boolean): Promise<boolean> => {
    const tenant = await store.get(database.read, '', identityFamilies.tenants, tenantId);
    return tenant !== undefined || (!isWrite && (await isRetired(database, tenantId)));
  };
  return {
    resolveOptional,
    async resolve(question) {
      const tenantId = await resolveOptional(question);
      if (tenantId === '') throw tenantRequired();
      return tenantId;
    },
  };
}

function namedTenant(question: TenantQuestion): string | undefined {
  const [first, second] = [question.inQuery, question.inBody].filter(
    (value) => typeof value === 'string' && value !== '',
  );
  if (second !== undefined && first !== second) {
    throw new Problem('tenant_mismatch', 'tenant_id of the query and of the body differ');
  }
  return first as string | undefined;
}

/** Super administrators, and tokens that belong to no tenant because one of them made them. */
function mayNameAnyTenant(principal: Principal): boolean {
  if (principal.kind === 'user') return principal.role === 'super_admin';
  return principal.kind === 'api_token' && principal.tenantId === undefined;
}

async function isRetired(database: Database, tenantId: string): Promise<boolean> {
  const row = await database.read
    .selectFrom('retired_keys')
    .select('value')
    .where('family', '=', identityFamilies.tenants)
    .where('value', '=', tenantId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The refusal of whoever belongs to no tenant and has to name one. Source: spec, Errors. */
export function tenantRequired(): Problem {
  return new Problem('tenant_required', 'tenant_id is required');
}

function foreign(): Problem {
  return new Problem('cross_tenant', 'Cannot access another tenant');
}
