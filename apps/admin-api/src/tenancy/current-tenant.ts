import { familyNamed, readSchema } from '@portcullis/resources';
import type { Database } from '../database/database.ts';
import type { Operation } from '../http/operation.ts';
import { tenantIdParameter } from '../http/query-parameters.ts';
import type { TenantScope } from '../identity/tenant-scope.ts';
import type { RecordReader } from '../resources/record-reader.ts';

/** What the operation works with. */
export interface CurrentTenantParts {
  readonly database: Database;
  readonly reader: RecordReader;
  readonly scope: TenantScope;
}

/**
 * The signed-in caller's own tenant, or the one that a super administrator names. Source: spec, Tenants, workspaces, RBAC;
 * Errors.
 */
export function currentTenantOperation({ database, reader, scope }: CurrentTenantParts): Operation {
  const tenants = familyNamed('tenants');
  return {
    id: 'getCurrentTenant',
    method: 'GET',
    paths: ['/admin/tenants/current', '/tenants/current', '/api/v1/tenants/current'],
    tag: 'tenants',
    summary: "The caller's tenant",
    access: 'read',
    query: [tenantIdParameter],
    responses: [{ status: 200, description: 'The tenant', schema: readSchema(tenants) }],
    async handler({ principal, query }) {
      const tenantId = await scope.resolve({ principal, inQuery: query['tenant_id'], isWrite: false });
      const place = { tenantId: '', gatewayId: null };
      const record = await reader.find(database.read, principal, tenants, place, tenantId);
      const [body] = await reader.view(database.read, tenants, '', [record]);
      return { status: 200, body };
    },
  };
}
