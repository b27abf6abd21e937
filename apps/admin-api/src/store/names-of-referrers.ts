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
  /** Names that a target may have to be read. Default: as many as one question reads. */
  readonly perTargetMax?: number;
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
  const references: { readonly id: string; readonly target: string }[] = [];
  for (const chunk of chunksOf(chosen)) {
    const rows = await executor
      .selectFrom('resource_references')
      .select(['id', 'target_id as target'])
      .where('tenant_id', '=', question.tenantId)
      .where('target_family', '=', question.targetFamily)
      .where('target_id', 'in', chunk)
      .where('family', '=', question.family)
      .execute();
    for (const row of rows) references.push(row);
  }
  const referrers = await namedRecords(executor, question, [...new Set(references.map(({ id }) => id))]);
  const targets = Map.groupBy(references, ({ id }) => id);
  const names = new Map<string, string[]>();
  for (const { id, name } of referrers) {
    for (const { target } of targets.get(id) ?? []) {
      const known = names.get(target);
      if (known) known.push(name);
      else names.set(target, [name]);
    }
  }
  return { names, unread };
}

/** Those of some records that have a name, oldest first. No join: without statistics PostgreSQL takes the slowest way. */
async function namedRecords(
  executor: Executor,
  { tenantId, family }: ReferrersQuestion,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const found: { readonly id: string; readonly name: string; readonly createdAt: number }[] = [];
  for (const chunk of chunksOf(ids)) {
    const rows = await executor
      .selectFrom('resources')
      .select(['id', 'name', 'created_at'])
      .where('tenant_id', '=', tenantId)
      .where('family', '=', family)
      .where('id', 'in', chunk)
      .execute();
    for (const { id, name, created_at: createdAt } of rows) if (name !== null) found.push({ id, name, createdAt });
  }
  return found.toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
}

/** The targets whose referrers fit into one question, those with the fewest first. */
async function choose(
  executor: Executor,
  { tenantId, family, targetFamily, targetIds, perTargetMax = REFERRER_NAMES_MAX }: ReferrersQuestion,
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
    if (left < 0 || count > perTargetMax) unread.add(id);
  }
  return { chosen: counts.flatMap(({ id }) => (unread.has(id) ? [] : [id])), unread };
}
