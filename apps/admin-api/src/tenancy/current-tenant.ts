import { familyNamed, readSchema } from '@portcullis/resources';
import type { Database } from '../database/database.ts';
import type { Operation } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import type { RecordReader } from '../resources/record-reader.ts';

/** What the operation works with. */
export interface CurrentTenantParts {
  readonly database: Database;
  readonly reader: RecordReader;
}

/** The signed-in caller's own tenant. Source: spec, Tenants, workspaces, RBAC. */
export function currentTenantOperation({ database, reader }: CurrentTenantParts): Operation {
  const tenants = familyNamed('tenants');
  return {
    id: 'getCurrentTenant',
    method: 'GET',
    paths: ['/admin/tenants/current', '/tenants/current', '/api/v1/tenants/current'],
    tag: 'tenants',
    summary: "The caller's tenant",
    access: 'read',
    responses: [{ status: 200, description: 'The tenant', schema: readSchema(tenants) }],
    async handler({ principal }) {
      if (principal.kind === 'anonymous' || principal.tenantId === undefined) {
        throw new Problem('tenant_required', 'tenant_id is required');
      }
      const place = { tenantId: '', gatewayId: null };
      const record = await reader.find(database.read, principal, tenants, place, principal.tenantId);
      const [body] = await reader.view(database.read, tenants, '', [record]);
      return { status: 200, body };
    },
  };
}
