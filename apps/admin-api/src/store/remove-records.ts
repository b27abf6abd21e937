import type { Transaction } from 'kysely';
import { chunksOf } from '../database/chunks.ts';
import type { Executor } from '../database/database.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import type { Tables } from '../database/tables.ts';
import type { Referrer } from './remove-record.ts';
import type { WriteResult } from './resource-store.ts';

/** Referrers that a refused removal names. */
const referrersNamedMax = 20;

/** Removes records of one family, with their keys, references and states, unless others than these refer to one of them. */
export async function removeRecords(
  transaction: Transaction<Tables>,
  tenantId: string,
  family: string,
  ids: readonly string[],
): Promise<WriteResult> {
  // Sorted: two transactions that lock the same records take them in the same order.
  const sorted = [...new Set(ids)].toSorted();
  for (const chunk of chunksOf(sorted)) {
    // The locks wait for transactions that are just adding a reference; what they committed is seen by the next query.
    const query = transaction
      .selectFrom('resources')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('family', '=', family)
      .where('id', 'in', chunk)
      .orderBy('id');
    const locked = await traitsOf(transaction).lockRows(query, 'change').execute();
    if (locked.length < chunk.length) return { ok: false, conflict: { kind: 'stale', currentRevision: undefined } };
  }
  const going = new Set(sorted);
  for (const chunk of chunksOf(sorted)) {
    const limit = sorted.length + referrersNamedMax;
    const referrers = await findReferrersOfMany(transaction, tenantId, family, chunk, limit);
    const others = referrers.filter((referrer) => referrer.family !== family || !going.has(referrer.id));
    if (others.length > 0) return { ok: false, conflict: { kind: 'referenced', by: named(others) } };
  }
  for (const chunk of chunksOf(sorted)) {
    await transaction
      .deleteFrom('resources')
      .where('tenant_id', '=', tenantId)
      .where('family', '=', family)
      .where('id', 'in', chunk)
      .execute();
  }
  return { ok: true };
}

/** Who refers to some records, at most `limit`, in the order of family, ID and field. */
export function findReferrersOfMany(
  executor: Executor,
  tenantId: string,
  family: string,
  ids: readonly string[],
  limit: number,
): Promise<(Referrer & { readonly targetId: string })[]> {
  return executor
    .selectFrom('resource_references')
    .select(['family', 'id', 'field', 'target_id as targetId'])
    .where('tenant_id', '=', tenantId)
    .where('target_family', '=', family)
    .where('target_id', 'in', ids)
    .orderBy('family')
    .orderBy('id')
    .orderBy('field')
    .limit(limit)
    .execute();
}

function named(referrers: readonly Referrer[]): { readonly family: string; readonly id: string }[] {
  const each = new Map(referrers.map(({ family, id }) => [JSON.stringify([family, id]), { family, id }]));
  return [...each.values()].slice(0, referrersNamedMax);
}
