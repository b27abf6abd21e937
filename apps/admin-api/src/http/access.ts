import type { apiTokenScopes } from '@portcullis/resources';
import type { Principal, Role } from '../identity/principal.ts';
import type { Access, Operation } from './operation.ts';
import { Problem } from './problem.ts';

/** What users of a role may do, from the access levels of operations. */
const roleAccess: Readonly<Record<Role, ReadonlySet<Access>>> = {
  super_admin: new Set(['read', 'session', 'write', 'administer', 'super_admin']),
  admin: new Set(['read', 'session', 'write', 'administer']),
  writer: new Set(['read', 'session', 'write']),
  reader: new Set(['read', 'session']),
};

/** A scope of API tokens. */
type ApiTokenScope = (typeof apiTokenScopes)[number];

/** What decides who may call an operation. */
export type AccessRule = Pick<Operation, 'access' | 'method'>;

/**
 * The scopes that an API token needs for an operation, all of them; nothing where no token is let in. Reading takes
 * `admin:read`, and a method that may write takes `admin:write`: a POST that only reads takes both. Scopes do not include each
 * other. Source: spec, Authentication, 2 (`admin:write` is for POST, PUT, PATCH, DELETE); wire contract, Paths and small rules
 * (`admin:write` alone may not read); ADR 0010 (`admin:write` administers).
 */
export function scopesFor({ access, method }: AccessRule): readonly ApiTokenScope[] | undefined {
  if (access !== 'read' && access !== 'write' && access !== 'administer') return undefined;
  const reads = access === 'read';
  const mayWrite = !reads || method !== 'GET';
  return [...(reads ? ['admin:read' as const] : []), ...(mayWrite ? ['admin:write' as const] : [])];
}

/**
 * Lets a signed-in caller through to an operation, or not. A credential of the wrong kind (a data plane's token on an
 * administration path, or the reverse; an API token where a signed-in user is asked for) counts as none.
 * Source: spec, Authentication, 3 and 4; wire contract, small rules.
 * @throws Problem `unauthenticated` or `forbidden`
 */
export function checkAccess(principal: Principal, operation: AccessRule): void {
  const { access } = operation;
  if (access === 'public') return;
  const isDataPlane = principal.kind === 'data_plane';
  if (principal.kind === 'anonymous' || isDataPlane !== (access === 'data_plane')) throw unauthenticated(true);
  if (access === 'session' && principal.kind !== 'user') throw unauthenticated(true);
  if (principal.kind === 'data_plane' || mayCall(principal, operation)) return;
  const needed = principal.kind === 'api_token' ? scopesFor(operation) : undefined;
  const reason = needed ? `The token needs the scope ${needed.join(' and the scope ')}` : reasons[access];
  throw new Problem('forbidden', reason ?? 'This caller may not do this');
}

/** The one answer to a missing, malformed, expired, revoked or foreign credential. */
export function unauthenticated(isGiven: boolean): Problem {
  return new Problem('unauthenticated', isGiven ? 'The credential is not valid' : 'A bearer token is required', {
    headers: challenge(isGiven ? 'invalid_token' : undefined),
  });
}

/**
 * The header that every 401 carries: the scheme that opens this service, and what was wrong with the token that was given.
 * Source: RFC 9110, 15.5.2; RFC 6750, 3.
 */
export function challenge(error?: 'invalid_token'): Readonly<Record<string, string>> {
  return { 'www-authenticate': `Bearer realm="portcullis"${error ? `, error="${error}"` : ''}` };
}

const reasons: Partial<Readonly<Record<Access, string>>> = {
  write: 'A read-only role may not write',
  administer: 'Only an administrator may do this',
  super_admin: 'Only a super administrator may do this',
};

/** Whether a signed-in caller may call an operation of the administration; others may call none. */
export function mayCall(principal: Principal, operation: AccessRule): boolean {
  if (principal.kind === 'user') return roleAccess[principal.role].has(operation.access);
  if (principal.kind !== 'api_token') return false;
  return scopesFor(operation)?.every((scope) => principal.scopes.includes(scope)) ?? false;
}
