import { sql, type Transaction } from 'kysely';
import { insertLater } from '../database/deferred-statement.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import type { Tables } from '../database/tables.ts';
import { bulkRow, keyTable, referenceTable, resourceTable } from './bulk-tables.ts';
import { conflictAt, missingTarget } from './insert-conflicts.ts';
import { firstDangling, referenceRowsOf } from './record-references.ts';
import { toRow } from './record-row.ts';
import type { BulkWriteResult, RecordToWrite } from './resource-store.ts';
import { firstMissing, keyIdentity, keyRowsOf } from './unique-keys.ts';

/**
 * Inserts many records of one family and tenant with their keys and references. Nothing waits for single statements, whose
 * texts are few, and what could not be written is found by counting afterwards: on SQLite everyone else waits meanwhile.
 *
 * The tenant's lock is held, so an ID that is free stays free; unique values may be held by another tenant.
 * @param known see `ResourceStore.insertMany`; the session then waits for nothing but the count
 * @returns the first conflict; what was written then stays, for the caller to undo
 */
export async function insertInBulk(
  transaction: Transaction<Tables>,
  items: readonly RecordToWrite[],
  known: boolean,
): Promise<BulkWriteResult> {
  const [first] = items;
  if (!first) return { ok: true };
  const { tenantId, family } = first.record;
  const ids = items.map(({ record }) => record.id);
  const repeated = known ? undefined : await firstTaken(transaction, { tenantId, family }, ids);
  if (repeated !== undefined) return conflictAt(repeated, { kind: 'id_exists' });
  const rows = items.map(({ record }) => bulkRow(resourceTable, { ...toRow(record) }));
  await insertLater(transaction, resourceTable, rows);

  const keys = items.flatMap((item, index) => keyRowsOf(item).map((row) => ({ index, row })));
  const keyRows = keys.map(({ row }) => bulkRow(keyTable, { ...row }));
  await insertLater(transaction, keyTable, keyRows);
  if ((await countKeys(transaction, { tenantId, family }, ids)) !== keys.length) {
    const taken = await readKeys(transaction, { tenantId, family }, ids);
    const position = firstMissing(
      keys.map(({ row }) => keyIdentity(row)),
      taken.map(keyIdentity),
    );
    const held = position === undefined ? undefined : keys[position];
    if (held) return conflictAt(held.index, { kind: 'key_exists', keyName: held.row.key_name });
  }

  const references = items.flatMap((item, index) => referenceRowsOf(item).map((row) => ({ index, row })));
  const referenceRows = references.map(({ row }) => row);
  const position = known ? undefined : await firstDangling(transaction, referenceRows);
  const dangling = position === undefined ? undefined : references[position];
  if (dangling) return conflictAt(dangling.index, missingTarget(dangling.row));
  const rowsOfReferences = referenceRows.map((row) => bulkRow(referenceTable, { ...row }));
  await insertLater(transaction, referenceTable, rowsOfReferences);
  return { ok: true };
}

/** The records of one family of one tenant. */
interface Place {
  readonly tenantId: string;
  readonly family: string;
}

/** The position of the first ID that a record has, or an earlier place of the list. */
async function firstTaken(
  transaction: Transaction<Tables>,
  { tenantId, family }: Place,
  ids: readonly string[],
): Promise<number | undefined> {
  const { rows } = await sql<{ readonly id: string }>`
    select record.id from ${wanted(transaction, ids)} cross join resources as record
    where record.tenant_id = ${tenantId} and record.family = ${family} and record.id = wanted.id`.execute(transaction);
  const taken = new Set(rows.map(({ id }) => id));
  const position = ids.findIndex((id) => taken.has(id) || taken.size === taken.add(id).size);
  return position === -1 ? undefined : position;
}

/** How many unique values records have. New ones had none before. */
async function countKeys(transaction: Transaction<Tables>, { tenantId, family }: Place, ids: readonly string[]) {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*) as count from ${wanted(transaction, ids)} cross join resource_keys as own
    where own.tenant_id = ${tenantId} and own.family = ${family} and own.id = wanted.id`.execute(transaction);
  return rows[0]?.count ?? 0;
}

async function readKeys(transaction: Transaction<Tables>, { tenantId, family }: Place, ids: readonly string[]) {
  const { rows } = await sql<Tables['resource_keys']>`
    select own.* from ${wanted(transaction, ids)} cross join resource_keys as own
    where own.tenant_id = ${tenantId} and own.family = ${family} and own.id = wanted.id`.execute(transaction);
  return rows;
}

/** IDs to read from: one bound value, or one for each column, however many they are. On SQLite a cross join is read from the left. */
function wanted(transaction: Transaction<Tables>, ids: readonly string[]) {
  return traitsOf(transaction).rowsOf(
    'wanted',
    { id: 'text' },
    ids.map((id) => [id]),
  );
}
