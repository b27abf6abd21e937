import * as v from 'valibot';
import type { AuditEntry, AuditPort } from '../audits/audit-port.ts';
import type { Database } from '../database/database.ts';
import type { SessionRow } from '../database/tables.ts';
import type { Operation, RequestContext } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import type { RevisionPort } from '../revisions/revision-port.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { UserPrincipal } from './principal.ts';
import { impersonationLifetimeMs, type Sessions } from './sessions.ts';
import { identityFamilies } from './user-directory.ts';

/** What impersonation needs. */
export interface ImpersonationParts {
  readonly database: Database;
  readonly store: ResourceStore;
  readonly audit: AuditPort;
  readonly revisions: Pick<RevisionPort, 'lock'>;
  readonly sessions: Sessions;
  readonly accessTokens: AccessTokens;
}

const impersonationBody = v.pipe(
  v.object({
    access_token: v.pipe(v.string(), v.description('Bearer token of an administrator of the tenant')),
    token_type: v.literal('Bearer'),
    expires_in: v.pipe(v.number(), v.integer(), v.description('Seconds; it cannot be refreshed')),
    impersonation_id: v.pipe(v.string(), v.description('Stands in the audit records of all that is done with it')),
    tenant_id: v.string(),
  }),
  v.title('Impersonation'),
);

/**
 * Lets a super administrator act inside a tenant as its administrator for a short while. The impersonation ends with its
 * time, with the login that began it, and with the super administrator's right to it. Source: wire contract, Users, tokens,
 * tenants; Paths and small rules.
 */
export function impersonationOperation(parts: ImpersonationParts): Operation {
  return {
    id: 'impersonateTenant',
    method: 'POST',
    paths: ['/admin/tenants/{tenant_id}/impersonate'],
    tag: 'tenants',
    summary: 'Act as an administrator of the tenant for 15 minutes',
    access: 'super_admin',
    responses: [
      { status: 200, description: 'A token without a refresh token', schema: impersonationBody },
      { status: 409, description: 'The tenant is inactive' },
    ],
    async handler({ principal, path, request }) {
      // Tokens are stopped by the level of access, and an impersonation is no super administrator.
      if (principal.kind !== 'user') throw new Problem('forbidden', 'Only a super administrator may do this');
      const session = await begin(parts, principal, path['tenant_id'] ?? '', request);
      const { id, user_id: userId, impersonated_tenant_id: tenantId } = session;
      const body = {
        access_token: await parts.accessTokens.issue({ sessionId: id, userId, impersonatedTenantId: tenantId }),
        token_type: 'Bearer',
        expires_in: impersonationLifetimeMs / 1000,
        impersonation_id: id,
        tenant_id: tenantId,
      };
      return { status: 200, body };
    },
  };
}

/**
 * Opens the session and says so in the tenant's audit log. Nothing that replicas follow changes, so this is no write session;
 * an `Idempotency-Key` is taken like in one. @throws Problem for a tenant that is not there or not active
 */
async function begin(
  parts: ImpersonationParts,
  principal: UserPrincipal,
  tenantId: string,
  request: RequestContext,
): Promise<SessionRow> {
  const { idempotency } = request;
  const session = await parts.database.transaction(async (transaction) => {
    if (idempotency) await parts.revisions.lock(transaction, '');
    await idempotency?.check(transaction, '');
    const tenant = await parts.store.get(transaction, '', identityFamilies.tenants, tenantId);
    if (!tenant) throw new Problem('not_found', 'tenant not found');
    if (tenant.body['status'] === 'inactive') throw new Problem('invalid_state', 'the tenant is inactive');
    const opened = await parts.sessions.openImpersonation(transaction, principal, tenant.id);
    await parts.audit.append(transaction, [beginningOf(opened, principal, request)]);
    await idempotency?.claim(transaction, '');
    return opened;
  });
  idempotency?.committed('');
  return session;
}

function beginningOf(session: SessionRow, principal: UserPrincipal, request: RequestContext): AuditEntry {
  return {
    tenantId: session.impersonated_tenant_id,
    actorId: principal.id,
    actorUsername: principal.username,
    action: 'impersonate',
    entityType: 'tenant',
    entityId: session.impersonated_tenant_id,
    requestId: request.requestId,
    sourceIp: request.sourceIp,
    metadata: { impersonation: { id: session.id, expires_at: new Date(session.expires_at).toISOString() } },
  };
}
