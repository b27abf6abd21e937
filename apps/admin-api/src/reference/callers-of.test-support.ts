import { apiTokenScopes, userRoles } from '@portcullis/resources';
import { checkAccess } from '../http/access.ts';
import type { Access } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import type { Principal } from '../identity/principal.ts';

/** Who gets through to operations of an access level, in words: found out by asking the rule itself. */
export function callersOf(access: Access): string {
  if (access === 'public') return 'everyone, without a credential';
  if (access === 'data_plane') return 'data planes, with their token';
  const roles = userRoles.filter((role) =>
    isLetThrough({ kind: 'user', id: 'u', username: 'u', tenantId: undefined, role, sessionId: 's' }, access),
  );
  const scopes = apiTokenScopes.filter((scope) =>
    isLetThrough({ kind: 'api_token', id: 't', name: 't', tenantId: undefined, scopes: [scope] }, access),
  );
  return [
    roles.length === userRoles.length ? 'every signed-in user' : roles.map((role) => `\`${role}\``).join(', '),
    ...scopes.map((scope) => `tokens with \`${scope}\``),
  ].join('; ');
}

function isLetThrough(principal: Principal, access: Access): boolean {
  try {
    checkAccess(principal, access);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
