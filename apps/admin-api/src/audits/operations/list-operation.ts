import * as v from 'valibot';
import type { Operation } from '../../http/operation.ts';
import { Problem } from '../../http/problem.ts';
import { pageParameters, textParameter } from '../../http/query-parameters.ts';
import type { Principal } from '../../identity/principal.ts';
import { pageHeaders } from '../../resources/list-query.ts';
import type { AuditOperationParts } from './audit-parts.ts';
import { auditFilterOf, auditFilterParameters, listAudits } from './audit-query.ts';
import { auditRecordSchema, auditView } from './audit-view.ts';
import { chainName, headOf } from './chain-port.ts';

const listSchema = v.pipe(
  v.object({ items: v.array(auditRecordSchema), total: v.number(), skip: v.number(), limit: v.number() }),
  v.title('AuditRecordList'),
);

/** The audit list. Source: spec, Audit list. */
export function listOperation({ database, trail }: Pick<AuditOperationParts, 'database' | 'trail'>): Operation {
  return {
    id: 'listAudits',
    method: 'GET',
    paths: ['/admin/audits/'],
    tag: 'audits',
    summary: 'Audit records; needs a signed-in user, a token of the API counts as no credential',
    access: 'session',
    query: [
      textParameter('tenant_id', 'Only this tenant. Counts for super administrators; anyone else sees the own.', 128),
      ...pageParameters,
      ...auditFilterParameters,
    ],
    responses: [
      { status: 200, description: 'A page of records', schema: listSchema, headers: ['x-total-count', 'link'] },
    ],
    async handler({ principal, query, request }) {
      const asked = auditFilterOf(query, tenantOf(principal, query['tenant_id']));
      // A page within an end that was there before needs nothing that came since.
      if (asked.asOf === undefined) await trail.drain();
      const { sequence } = await headOf(database.read, chainName(undefined));
      const filter = { ...asked, asOf: Math.min(asked.asOf ?? sequence, sequence) };
      const { rows, total } = await listAudits(database.read, filter);
      return {
        status: 200,
        headers: pageHeaders(request.path, { ...query, as_of: filter.asOf }, total),
        body: { items: rows.map(auditView), total, skip: filter.skip, limit: filter.limit },
      };
    },
  };
}

/**
 * The tenant whose records a caller sees: a super administrator's choice (a deleted tenant's too), else the caller's own
 * whatever was asked for. `undefined` for all. Source: spec, Audit list; Authentication, 5.
 * @throws Problem `tenant_required` for anyone else without a tenant: there is no such user
 */
function tenantOf(principal: Principal, asked: unknown): string | undefined {
  if (principal.kind === 'user' && principal.role === 'super_admin') {
    return typeof asked === 'string' && asked !== '' ? asked : undefined;
  }
  if (principal.kind !== 'user' || principal.tenantId === undefined) {
    throw new Problem('tenant_required', 'tenant_id is required');
  }
  return principal.tenantId;
}
