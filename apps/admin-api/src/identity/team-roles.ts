import type { Executor } from '../database/database.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import type { Role } from './principal.ts';
import { identityFamilies, type User } from './user-directory.ts';

/** Roles that a team can give, from least to most. Never the one above all tenants, whatever a record says. */
const teamRoles = ['reader', 'writer', 'admin'] as const satisfies readonly Role[];

/** Teams that are read at once. */
const pageTeams = 200;

/**
 * What a user may do: the highest of the own role and the roles of all teams of the tenant that list the user. Source: spec,
 * Tenancy objects, Team; wire contract, Users, tokens, tenants.
 */
export async function effectiveRole(
  store: ResourceStore,
  executor: Executor,
  { id, tenantId, role }: User,
): Promise<Role> {
  if (role === 'super_admin' || role === 'admin') return role;
  const references = [{ field: 'member_ids', targetId: id }];
  const filter = { tenantId, family: identityFamilies.teams, references, limit: pageTeams };
  let highest: number = teamRoles.indexOf(role);
  for (let skip = 0, total = 1; skip < total; skip += pageTeams) {
    const page = await store.list(executor, { ...filter, skip });
    ({ total } = page);
    for (const team of page.items) highest = Math.max(highest, highestOf(team.body['roles']));
  }
  return teamRoles[highest] ?? role;
}

function highestOf(roles: unknown): number {
  return Array.isArray(roles) ? teamRoles.findLastIndex((role) => roles.includes(role)) : -1;
}
