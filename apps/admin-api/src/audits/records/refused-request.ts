import type { Operation, RequestContext } from '../../http/operation.ts';
import type { Problem } from '../../http/problem.ts';
import type { Principal } from '../../identity/principal.ts';
import { actorOf } from '../../resources/actor.ts';
import type { AuditEntry } from '../audit-port.ts';

/** A request that was refused after its caller was known. */
export interface RefusedRequest {
  readonly principal: Principal;
  readonly operation: Pick<Operation, 'id' | 'method'>;
  readonly problem: Pick<Problem, 'code' | 'status'>;
  readonly request: RequestContext;
}

const pathLengthMax = 512;

/**
 * The record of a refused request; nothing for one that leaves none by the policy. It stands in the log of the caller's tenant,
 * so that nobody learns from the own log what others tried elsewhere.
 */
export function refusedRequestEntry({
  principal,
  operation,
  problem,
  request,
}: RefusedRequest): AuditEntry | undefined {
  if (principal.kind === 'anonymous') return undefined;
  const { code, status } = problem;
  const isRefused = status === 401 || status === 403;
  if (!isRefused || (operation.method === 'GET' && code !== 'cross_tenant')) return undefined;
  const actor = actorOf(principal, request);
  const { method, path } = request;
  return {
    tenantId: principal.tenantId ?? '',
    actorId: actor.id,
    actorUsername: actor.username,
    action: 'refused',
    entityType: 'operation',
    entityId: operation.id,
    requestId: actor.requestId,
    sourceIp: actor.sourceIp,
    metadata: { ...actor.metadata, method, path: path.slice(0, pathLengthMax).toWellFormed(), status, code },
  };
}
