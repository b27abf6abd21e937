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
