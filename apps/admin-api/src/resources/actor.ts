import type { RequestContext } from '../http/operation.ts';
import type { Principal } from '../identity/principal.ts';

/** Who performs a write, as audit records name it. */
export interface Actor {
  readonly principal: Principal;
  readonly id: string;
  readonly username: string;
  readonly requestId: string;
  readonly sourceIp: string;
  /** What the records say of it beside its name. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The actor of a request. One who impersonates keeps the own name. Source: wire contract, Paths and small rules. */
export function actorOf(principal: Principal, request: RequestContext): Actor {
  const { requestId, sourceIp } = request;
  switch (principal.kind) {
    case 'user':
      return {
        principal,
        id: principal.id,
        username: principal.username,
        requestId,
        sourceIp,
        ...(principal.impersonation && { metadata: { impersonation: { id: principal.impersonation.id } } }),
      };
    case 'api_token':
      return { principal, id: principal.id, username: `token:${principal.name}`, requestId, sourceIp };
    case 'data_plane':
      return { principal, id: principal.id, username: `data-plane:${principal.id}`, requestId, sourceIp };
    case 'anonymous':
      return { principal, id: '', username: '', requestId, sourceIp };
  }
}

/** The service itself, doing what no request asked for. @param reason stands in the place of the request's ID */
export function systemActor(reason: string): Actor {
  return { principal: { kind: 'anonymous' }, id: '', username: 'system', requestId: reason, sourceIp: '' };
}
