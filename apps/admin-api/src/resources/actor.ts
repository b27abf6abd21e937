import type { RequestContext } from '../http/operation.ts';
import type { Principal } from '../identity/principal.ts';

/** Who performs a write, as audit records name it. */
export interface Actor {
  readonly principal: Principal;
  readonly id: string;
  readonly username: string;
  readonly requestId: string;
  readonly sourceIp: string;
}

/** The actor of a request. */
export function actorOf(principal: Principal, request: RequestContext): Actor {
  const { requestId, sourceIp } = request;
  switch (principal.kind) {
    case 'user':
      return { principal, id: principal.id, username: principal.username, requestId, sourceIp };
    case 'api_token':
      return { principal, id: principal.id, username: `token:${principal.name}`, requestId, sourceIp };
    case 'data_plane':
      return { principal, id: principal.id, username: `data-plane:${principal.id}`, requestId, sourceIp };
    case 'anonymous':
      return { principal, id: '', username: '', requestId, sourceIp };
  }
}
