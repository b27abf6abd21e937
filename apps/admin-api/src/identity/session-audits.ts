import type { AuditEntry } from '../audits/audit-port.ts';
import type { SessionRow } from '../database/tables.ts';
import type { RequestContext } from '../http/operation.ts';
import type { User } from './user-directory.ts';

/** What a login and its end have in common in the audit log of the user's tenant. */
type SessionFacts = Pick<AuditEntry, 'tenantId' | 'entityType' | 'entityId' | 'requestId' | 'sourceIp'>;

/** Somebody logged in or out. Source: wire contract, Audits. */
export function ownAct(
  action: 'login' | 'logout',
  session: SessionRow,
  user: Pick<User, 'username'> | undefined,
  request: RequestContext,
): AuditEntry {
  const actor = { actorId: session.user_id, actorUsername: user?.username ?? '' };
  return { ...factsOf(session, request), ...actor, action };
}

/**
 * The service ended a login because a refresh token of it came a second time. Who sent it is not known, so the actor is the
 * service; the user stands in the metadata.
 */
export function revocation(session: SessionRow, user: User, request: RequestContext): AuditEntry {
  return {
    ...factsOf(session, request),
    actorId: '',
    actorUsername: 'system',
    action: 'revoke',
    metadata: { reason: 'refresh_token_reused', user_id: user.id, username: user.username },
  };
}

/** Somebody could not log in as a user. Who that was is not known, so there is no actor. */
export function refusedLogin(
  user: Pick<User, 'id' | 'tenantId'>,
  reason: 'inactive' | 'wrong_password',
  { requestId, sourceIp }: RequestContext,
): AuditEntry {
  const actor = { actorId: '', actorUsername: '' };
  const account = { tenantId: user.tenantId, entityType: 'user', entityId: user.id };
  return { ...account, ...actor, action: 'login_refused', requestId, sourceIp, metadata: { reason } };
}

function factsOf(session: SessionRow, { requestId, sourceIp }: RequestContext): SessionFacts {
  return { tenantId: session.user_tenant_id, entityType: 'session', entityId: session.id, requestId, sourceIp };
}
