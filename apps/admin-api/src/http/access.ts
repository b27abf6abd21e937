import type { Principal, Role, TokenPrincipal, UserPrincipal } from '../identity/principal.ts';
import type { Access } from './operation.ts';
import { Problem } from './problem.ts';

/** What users of a role may do, from the access levels of operations. */
const roleAccess: Readonly<Record<Role, ReadonlySet<Access>>> = {
  super_admin: new Set(['read', 'session', 'write', 'administer', 'super_admin']),
  admin: new Set(['read', 'session', 'write', 'administer']),
  writer: new Set(['read', 'session', 'write']),
  reader: new Set(['read', 'session']),
};

/** What an API token's scope opens. Scopes do not include each other: `admin:write` alone may not read. */
const scopeAccess: Readonly<Record<string, Access>> = { 'admin:read': 'read', 'admin:write': 'write' };

/**
 * Lets a signed-in caller through to an operation, or not. A credential of the wrong kind (a data plane's token on an
 * administration path, or the reverse; an API token where a signed-in user is asked for) counts as none.
 * Source: spec, Authentication, 3 and 4; wire contract, small rules.
 * @throws Problem `unauthenticated` or `forbidden`
 */
export function checkAccess(principal: Principal, access: Access): void {
  if (access === 'public') return;
  const isDataPlane = principal.kind === 'data_plane';
  if (principal.kind === 'anonymous' || isDataPlane !== (access === 'data_plane')) throw unauthenticated(true);
  if (access === 'session' && principal.kind !== 'user') throw unauthenticated(true);
  if (principal.kind === 'data_plane' || mayUse(principal, access)) return;
  throw new Problem('forbidden', reasons[access] ?? 'This caller may not do this');
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
  read: 'The token needs the scope admin:read',
  write: 'A read-only role or scope may not write',
  administer: 'Only an administrator may do this',
  super_admin: 'Only a super administrator may do this',
};

function mayUse(principal: UserPrincipal | TokenPrincipal, access: Access): boolean {
  if (principal.kind === 'user') return roleAccess[principal.role].has(access);
  return principal.scopes.some((scope) => scopeAccess[scope] === access);
}
