import type { RequestContext } from '../http/operation.ts';
import type { IdempotentRequest } from '../idempotency/idempotent-request.ts';
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
  /** Set when the request has an `Idempotency-Key`; write sessions take it. */
  readonly idempotency?: IdempotentRequest;
}

/** The actor of a request. One who impersonates keeps the own name. Source: wire contract, Paths and small rules. */
export function actorOf(principal: Principal, request: RequestContext): Actor {
  const { requestId, sourceIp, idempotency } = request;
  const circumstances = { requestId, sourceIp, ...(idempotency && { idempotency }) };
  switch (principal.kind) {
    case 'user':
      return {
        principal,
        id: principal.id,
        username: nameOfActor(principal),
        ...circumstances,
        ...(principal.impersonation && { metadata: { impersonation: { id: principal.impersonation.id } } }),
      };
    case 'api_token':
    case 'data_plane':
      return { principal, id: principal.id, username: nameOfActor(principal), ...circumstances };
    case 'anonymous':
      return { principal, id: '', username: nameOfActor(principal), ...circumstances };
  }
}

/** What a caller is called where a record names who did something. */
export function nameOfActor(principal: Principal): string {
  switch (principal.kind) {
    case 'user':
      return principal.username;
    case 'api_token':
      return `token:${principal.name}`;
    case 'data_plane':
      return `data-plane:${principal.id}`;
    case 'anonymous':
      return '';
  }
}

/** The service itself, doing what no request asked for. @param reason stands in the place of the request's ID */
export function systemActor(reason: string): Actor {
  return { principal: { kind: 'anonymous' }, id: '', username: 'system', requestId: reason, sourceIp: '' };
}
