import type { Executor } from '../database/database.ts';
import { chunksOf } from '../database/chunks.ts';
import type { StoredRecord } from '../store/resource-store.ts';

/**
 * The groups of a consumer that count: those that it lists, in its order, then those that list it, oldest first. A name
 * that comes twice counts where it comes first.
 */
export function effectiveGroups(own: unknown, listing: readonly string[] = []): string[] {
  const named = Array.isArray(own) ? own.filter((group): group is string => typeof group === 'string') : [];
  return [...new Set([...named, ...listing])];
}

/** Names of the groups that list each consumer, oldest group first, for the groups of a whole tenant in that order. */
export function groupsByMember(groups: readonly StoredRecord[]): ReadonlyMap<string, readonly string[]> {
  const byMember = new Map<string, string[]>();
  for (const { name, body } of groups) {
    const members: readonly unknown[] = Array.isArray(body['consumers']) ? body['consumers'] : [];
    for (const member of members) {
      if (typeof member !== 'string' || name === null) continue;
      const known = byMember.get(member);
      if (known) known.push(name);
      else byMember.set(member, [name]);
    }
  }
  return byMember;
}

/** Names of the groups that list each of some consumers, oldest group first. */
export async function groupsListing(
  executor: Executor,
  tenantId: string,
  consumerIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const byMember = new Map<string, string[]>();
  for (const chunk of chunksOf(consumerIds)) {
    const rows = await executor
      .selectFrom('resource_references as membership')
      .innerJoin('resources as group', (join) =>
        join
          .onRef('group.tenant_id', '=', 'membership.tenant_id')
          .onRef('group.family', '=', 'membership.family')
          .onRef('group.id', '=', 'membership.id'),
      )
      .select(['membership.target_id as member', 'group.name as name'])
      .where('membership.tenant_id', '=', tenantId)
      .where('membership.target_family', '=', 'consumers')
      .where('membership.target_id', 'in', chunk)
      .where('membership.family', '=', 'consumer-groups')
      .orderBy('group.created_at')
      .orderBy('group.id')
      .execute();
    for (const { member, name } of rows) {
      if (name !== null) byMember.set(member, [...(byMember.get(member) ?? []), name]);
    }
  }
  return byMember;
}
