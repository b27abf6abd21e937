import { apiTokenScopes, userRoles } from '@portcullis/resources';
import { type AccessRule, checkAccess } from '../http/access.ts';
import { Problem } from '../http/problem.ts';
import type { Principal } from '../identity/principal.ts';

/** Who gets through to an operation, in words: found out by asking the rule itself. */
export function callersOf(operation: AccessRule): string {
  const { access } = operation;
  if (access === 'public') return 'everyone, without a credential';
  if (access === 'data_plane') return 'data planes, with their token';
  const roles = userRoles.filter((role) =>
    isLetThrough({ kind: 'user', id: 'u', username: 'u', tenantId: undefined, role, sessionId: 's' }, operation),
  );
  const tokenWith = (scopes: readonly string[]): Principal => ({
    kind: 'api_token',
    id: 't',
    name: 't',
    tenantId: undefined,
    scopes,
  });
  const scopes = apiTokenScopes.filter((scope) => !isLetThrough(tokenWith(without(scope)), operation));
  const isOpenToTokens = isLetThrough(tokenWith(apiTokenScopes), operation);
  return [
    roles.length === userRoles.length ? 'every signed-in user' : roles.map((role) => `\`${role}\``).join(', '),
    ...(isOpenToTokens ? [`tokens with ${scopes.map((scope) => `\`${scope}\``).join(' and ')}`] : []),
  ].join('; ');
}

function without(scope: string): readonly string[] {
  return apiTokenScopes.filter((other) => other !== scope);
}

function isLetThrough(principal: Principal, operation: AccessRule): boolean {
  try {
    checkAccess(principal, operation);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
