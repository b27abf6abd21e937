import type { Transaction } from 'kysely';
import type { Executor } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import type { WriteResult } from './resource-store.ts';
import { lockRecord } from './update-record.ts';

/** Most referrers that a refused removal names. */
const REFERRERS_NAMED_MAX = 20;

/** One record's pointer to the record in question. */
export interface Referrer {
  readonly family: string;
  readonly id: string;
  readonly field: string;
}

/** Removes a record, with its keys, references and state, unless another refers to it. */
export async function removeRecord(
  transaction: Transaction<Tables>,
  tenantId: string,
  family: string,
  id: string,
): Promise<WriteResult> {
  // The lock waits for transactions that are just adding a reference; what they committed is seen by the next query.
  const currentRevision = await lockRecord(transaction, { tenantId, family, id });
  if (currentRevision === undefined) return { ok: false, conflict: { kind: 'stale', currentRevision } };
  const by = await transaction
    .selectFrom('resource_references')
    .select(['family', 'id'])
    .distinct()
    .where('tenant_id', '=', tenantId)
    .where('target_family', '=', family)
    .where('target_id', '=', id)
    .where((eb) => eb.not(eb.and({ family, id })))
    .orderBy('family')
    .orderBy('id')
    .limit(REFERRERS_NAMED_MAX)
    .execute();
  if (by.length > 0) return { ok: false, conflict: { kind: 'referenced', by } };
  await transaction
    .deleteFrom('resources')
    .where('tenant_id', '=', tenantId)
    .where('family', '=', family)
    .where('id', '=', id)
    .execute();
  return { ok: true };
}

/** Who refers to a record, at most `limit` after the first `skip`, in the order of family, ID and field. */
export function findReferrers(
  executor: Executor,
  tenantId: string,
  family: string,
  id: string,
  limit: number,
  skip: number = 0,
): Promise<Referrer[]> {
  return executor
    .selectFrom('resource_references')
    .select(['family', 'id', 'field'])
    .where('tenant_id', '=', tenantId)
    .where('target_family', '=', family)
    .where('target_id', '=', id)
    .orderBy('family')
    .orderBy('id')
    .orderBy('field')
    .limit(limit)
    .offset(skip)
    .execute();
}

/** How many references lead to a record. */
export async function countReferrers(
  executor: Executor,
  tenantId: string,
  family: string,
  id: string,
): Promise<number> {
  const { count } = await executor
    .selectFrom('resource_references')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('target_family', '=', family)
    .where('target_id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(count);
}
