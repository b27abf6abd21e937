import { sql, type Transaction } from 'kysely';
import { insertLater } from '../database/deferred-statement.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import type { Tables } from '../database/tables.ts';
import type { BulkRow } from '../database/bulk-insert.ts';
import { bulkRecords } from './bulk-records.ts';
import type { BulkRecords } from './bulk-records.ts';
import { bulkRow, keyTable, referenceTable, resourceTable } from './bulk-tables.ts';
import { conflictAt, missingTarget } from './insert-conflicts.ts';
import { firstDangling, referenceRowsOf } from './record-references.ts';
import type { BulkWriteResult, RecordToWrite } from './resource-store.ts';
import { firstMissing } from './unique-keys.ts';

/**
 * Inserts many records of one family and tenant with their keys and references. Nothing waits for single statements, whose
 * texts are few, and what could not be written is found by counting afterwards: on SQLite everyone else waits meanwhile.
 *
 * The tenant's lock is held, so an ID that is free stays free; unique values may be held by another tenant.
 * @param items at least one
 * @returns the first conflict; what was written then stays, for the caller to undo
 */
export async function insertInBulk(
  transaction: Transaction<Tables>,
  items: readonly RecordToWrite[],
): Promise<BulkWriteResult> {
  const bulk = bulkRecords(items);
  const repeated = await firstTaken(transaction, bulk);
  if (repeated !== undefined) return conflictAt(repeated, { kind: 'id_exists' });
  const stored = await insertWithKeys(transaction, bulk);
  if (!stored.ok) return stored;
  const references = items.flatMap((item, index) => referenceRowsOf(item).map((row) => ({ index, row })));
  const position = await firstDangling(
    transaction,
    references.map(({ row }) => row),
  );
  const dangling = position === undefined ? undefined : references[position];
  if (dangling) return conflictAt(dangling.index, missingTarget(dangling.row));
  await insertLater(transaction, referenceTable, bulk.references);
  return { ok: true };
}

/** See `ResourceStore.insertPrepared`. */
export async function insertPrepared(transaction: Transaction<Tables>, bulk: BulkRecords): Promise<BulkWriteResult> {
  const stored = await insertWithKeys(transaction, bulk);
  if (stored.ok) await insertLater(transaction, referenceTable, bulk.references);
  return stored;
}

async function insertWithKeys(transaction: Transaction<Tables>, bulk: BulkRecords): Promise<BulkWriteResult> {
  const { keys } = bulk;
  await insertLater(transaction, resourceTable, bulk.records);
  await insertLater(
    transaction,
    keyTable,
    keys.map(({ row }) => row),
  );
  if ((await countKeys(transaction, bulk)) === keys.length) return { ok: true };
  const taken = await readKeys(transaction, bulk);
  const position = firstMissing(
    keys.map(({ row }) => identityOf(row)),
    taken.map((row) => identityOf(bulkRow(keyTable, { ...row }))),
  );
  const held = position === undefined ? undefined : keys[position];
  if (!held) return { ok: true };
  return conflictAt(held.index, { kind: 'key_exists', keyName: String(held.row[keyNameColumn]) });
}

/** Columns of the table of keys that together are unique come first. */
const identityColumns = 4;
const keyNameColumn = Object.keys(keyTable.columns).indexOf('key_name');

function identityOf(row: BulkRow): string {
  return JSON.stringify(row.slice(0, identityColumns));
}

/** The records of one family of one tenant. */
type Place = Pick<BulkRecords, 'tenantId' | 'family' | 'ids'>;

/** The position of the first ID that a record has, or an earlier place of the list. */
async function firstTaken(
  transaction: Transaction<Tables>,
  { tenantId, family, ids }: Place,
): Promise<number | undefined> {
  const { rows } = await sql<{ readonly id: string }>`
    select record.id from ${wanted(transaction, ids)} cross join resources as record
    where record.tenant_id = ${tenantId} and record.family = ${family} and record.id = wanted.id`.execute(transaction);
  const taken = new Set(rows.map(({ id }) => id));
  const position = ids.findIndex((id) => taken.has(id) || taken.size === taken.add(id).size);
  return position === -1 ? undefined : position;
}

/** How many unique values records have. New ones had none before. */
async function countKeys(transaction: Transaction<Tables>, { tenantId, family, ids }: Place) {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*) as count from ${wanted(transaction, ids)} cross join resource_keys as own
    where own.tenant_id = ${tenantId} and own.family = ${family} and own.id = wanted.id`.execute(transaction);
  return rows[0]?.count ?? 0;
}

async function readKeys(transaction: Transaction<Tables>, { tenantId, family, ids }: Place) {
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
