import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { chunksOf } from '../database/chunks.ts';
import { conflictAt, missingTarget } from './insert-conflicts.ts';
import { insertInBulk } from './insert-in-bulk.ts';
import { firstDangling, referenceRowsOf, writeReferences } from './record-references.ts';
import { toRow } from './record-row.ts';
import type { BulkWriteResult, RecordToWrite, StoredRecord } from './resource-store.ts';
import { firstMissing, keyRowsOf, takeKeys } from './unique-keys.ts';

const bulkRecordsMin = 20;

type RecordIdentity = Pick<StoredRecord, 'tenantId' | 'family' | 'id'>;

/**
 * Inserts records with their keys and references, all or none. They may refer to each other in any order.
 * No statement fails on a conflict, so the transaction stays usable; what was written before it is taken away again.
 */
export async function insertRecords(
  transaction: Transaction<Tables>,
  items: readonly RecordToWrite[],
): Promise<BulkWriteResult> {
  const inserted: RecordIdentity[] = [];
  const result = isBulk(items)
    ? await bulk(transaction, items, inserted)
    : await insertAll(transaction, items, inserted);
  if (!result.ok) await removeInserted(transaction, inserted);
  return result;
}

/** Records that are many and of one kind. Of fewer each statement tells at once what it could not write. */
function isBulk(items: readonly RecordToWrite[]): boolean {
  const [first] = items;
  if (!first || items.length < bulkRecordsMin) return false;
  const { tenantId, family } = first.record;
  return items.every(({ record }) => record.tenantId === tenantId && record.family === family);
}

async function bulk(
  transaction: Transaction<Tables>,
  items: readonly RecordToWrite[],
  inserted: RecordIdentity[],
): Promise<BulkWriteResult> {
  const result = await insertInBulk(transaction, items);
  // Where an ID is taken nothing was written; otherwise all records were.
  if (!result.ok && result.conflict.kind !== 'id_exists') inserted.push(...items.map(({ record }) => record));
  return result;
}

async function insertAll(
  transaction: Transaction<Tables>,
  items: readonly RecordToWrite[],
  inserted: RecordIdentity[],
): Promise<BulkWriteResult> {
  const repeated = await insertRows(transaction, items, inserted);
  if (repeated !== undefined) return conflictAt(repeated, { kind: 'id_exists' });

  const keys = items.flatMap((item, index) => keyRowsOf(item).map((row) => ({ index, row })));
  const { takenUntil } = await takeKeys(
    transaction,
    keys.map(({ row }) => row),
  );
  const held = keys[takenUntil];
  if (held !== undefined) return conflictAt(held.index, { kind: 'key_exists', keyName: held.row.key_name });

  const references = items.flatMap((item, index) => referenceRowsOf(item).map((row) => ({ index, row })));
  const rows = references.map(({ row }) => row);
  const position = await firstDangling(transaction, rows);
  const dangling = position === undefined ? undefined : references[position];
  if (dangling !== undefined) return conflictAt(dangling.index, missingTarget(dangling.row));
  await writeReferences(transaction, rows);
  return { ok: true };
}

/** Gives the position of the first record whose ID is taken. */
async function insertRows(
  transaction: Transaction<Tables>,
  items: readonly RecordToWrite[],
  inserted: RecordIdentity[],
): Promise<number | undefined> {
  let start = 0;
  for (const chunk of chunksOf(items)) {
    const returned = await transaction
      .insertInto('resources')
      .values(chunk.map(({ record }) => toRow(record)))
      .onConflict((conflict) => conflict.doNothing())
      .returning(['tenant_id as tenantId', 'family', 'id'])
      .execute();
    inserted.push(...returned);
    const missing = firstMissing(
      chunk.map(({ record }) => recordIdentity(record)),
      returned.map(recordIdentity),
    );
    if (missing !== undefined) return start + missing;
    start += chunk.length;
  }
  return undefined;
}

async function removeInserted(transaction: Transaction<Tables>, inserted: readonly RecordIdentity[]): Promise<void> {
  const groups = Map.groupBy(inserted, ({ tenantId, family }) => JSON.stringify([tenantId, family]));
  // References first: records of the same batch may refer to each other, and keys go with their record.
  for (const table of ['resource_references', 'resources'] as const) {
    for (const group of groups.values()) {
      const [first] = group;
      if (first === undefined) continue;
      for (const chunk of chunksOf(group)) {
        await transaction
          .deleteFrom(table)
          .where('tenant_id', '=', first.tenantId)
          .where('family', '=', first.family)
          .where(
            'id',
            'in',
            chunk.map(({ id }) => id),
          )
          .execute();
      }
    }
  }
}

function recordIdentity({ tenantId, family, id }: RecordIdentity): string {
  return JSON.stringify([tenantId, family, id]);
}
