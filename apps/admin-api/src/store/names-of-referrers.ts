import { chunksOf } from '../database/chunks.ts';
import type { Executor } from '../database/database.ts';

/** Names that one question reads, whatever it asks about: some ten milliseconds of work. */
export const REFERRER_NAMES_MAX = 10_000;

/** What is asked: the names of a family's records that refer to some records of another. */
export interface ReferrersQuestion {
  readonly tenantId: string;
  readonly family: string;
  readonly targetFamily: string;
  readonly targetIds: readonly string[];
}

/** What a question found. */
export interface ReferrerNames {
  /** By target, oldest referrer first; nothing where nobody refers to a target. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Targets with so many that they were not read. */
  readonly unread: ReadonlySet<string>;
}

/**
 * Names of the records that refer to each of some targets. All of a target or none: where the targets have more than
 * {@link REFERRER_NAMES_MAX} together, those with the most are left unread, so that no read holds everybody else up.
 */
export async function namesOfReferrers(executor: Executor, question: ReferrersQuestion): Promise<ReferrerNames> {
  const { chosen, unread } = await choose(executor, question);
  const names = new Map<string, string[]>();
  for (const chunk of chunksOf(chosen)) {
    const rows = await executor
      .selectFrom('resource_references as reference')
      .innerJoin('resources as referrer', (join) =>
        join
          .onRef('referrer.tenant_id', '=', 'reference.tenant_id')
          .onRef('referrer.family', '=', 'reference.family')
          .onRef('referrer.id', '=', 'reference.id'),
      )
      .select(['reference.target_id', 'referrer.name'])
      .where('reference.tenant_id', '=', question.tenantId)
      .where('reference.target_family', '=', question.targetFamily)
      .where('reference.target_id', 'in', chunk)
      .where('reference.family', '=', question.family)
      .orderBy('referrer.created_at')
      .orderBy('referrer.id')
      .execute();
    for (const { target_id: id, name } of rows) {
      const known = names.get(id);
      if (name === null) continue;
      if (known) known.push(name);
      else names.set(id, [name]);
    }
  }
  return { names, unread };
}

/** The targets whose referrers fit into one question, those with the fewest first. */
async function choose(
  executor: Executor,
  { tenantId, family, targetFamily, targetIds }: ReferrersQuestion,
): Promise<{ readonly chosen: readonly string[]; readonly unread: ReadonlySet<string> }> {
  const counts: { readonly id: string; readonly count: number }[] = [];
  for (const chunk of chunksOf(targetIds)) {
    const rows = await executor
      .selectFrom('resource_references')
      .select(({ fn }) => ['target_id as id', fn.countAll().as('count')])
      .where('tenant_id', '=', tenantId)
      .where('target_family', '=', targetFamily)
      .where('target_id', 'in', chunk)
      .where('family', '=', family)
      .groupBy('target_id')
      .execute();
    for (const { id, count } of rows) counts.push({ id, count: Number(count) });
  }
  const unread = new Set<string>();
  let left = REFERRER_NAMES_MAX;
  for (const { id, count } of counts.toSorted((one, other) => one.count - other.count)) {
    left -= count;
    if (left < 0) unread.add(id);
  }
  return { chosen: counts.flatMap(({ id }) => (unread.has(id) ? [] : [id])), unread };
}
