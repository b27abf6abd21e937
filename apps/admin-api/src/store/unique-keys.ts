import type { Transaction } from 'kysely';
import type { ResourceKeyRow, Tables } from '../database/tables.ts';
import { chunksOf } from '../database/chunks.ts';
import type { RecordToWrite } from './resource-store.ts';

/** The key rows of a record. */
export function keyRowsOf({ record, keys }: RecordToWrite): ResourceKeyRow[] {
  return keys.map((key) => ({
    family: record.family,
    key_name: key.keyName,
    scope: key.scope,
    value: key.value,
    tenant_id: record.tenantId,
    id: record.id,
  }));
}

/**
 * Takes unique values. Where another record has one (also one that a transaction beside this is just committing) the
 * position of the first such row comes back, and the values that were taken before it stay taken: the caller undoes.
 */
export async function takeKeys(
  transaction: Transaction<Tables>,
  rows: readonly ResourceKeyRow[],
): Promise<{ readonly takenUntil: number; readonly taken: readonly ResourceKeyRow[] }> {
  const taken: ResourceKeyRow[] = [];
  let start = 0;
  for (const chunk of chunksOf(rows)) {
    // Not failing keeps the transaction usable on PostgreSQL; a failed statement would end it.
    const returned = await transaction
      .insertInto('resource_keys')
      .values(chunk)
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .execute();
    taken.push(...returned);
    const missing = firstMissing(chunk.map(keyIdentity), returned.map(keyIdentity));
    if (missing !== undefined) return { takenUntil: start + missing, taken };
    start += chunk.length;
  }
  return { takenUntil: rows.length, taken };
}

/** Gives unique values back. */
export async function releaseKeys(transaction: Transaction<Tables>, rows: readonly ResourceKeyRow[]): Promise<void> {
  for (const row of rows) {
    await transaction
      .deleteFrom('resource_keys')
      .where('family', '=', row.family)
      .where('key_name', '=', row.key_name)
      .where('scope', '=', row.scope)
      .where('value', '=', row.value)
      .execute();
  }
}

/** A text that is the same for the same unique value. */
export function keyIdentity(row: Pick<ResourceKeyRow, 'family' | 'key_name' | 'scope' | 'value'>): string {
  return JSON.stringify([row.family, row.key_name, row.scope, row.value]);
}

/**
 * The position of the first asked identity that did not come back. One that was asked twice can come back only once, so
 * its second asking counts as missing.
 */
export function firstMissing(asked: readonly string[], returned: readonly string[]): number | undefined {
  if (asked.length === returned.length) return undefined;
  const unclaimed = new Set(returned);
  const position = asked.findIndex((identity) => !unclaimed.delete(identity));
  return position === -1 ? undefined : position;
}
