import type { Transaction } from 'kysely';
import { traitsOf } from '../database/dialect-traits.ts';
import type { ResourceKeyRow, ResourceReferenceRow, Tables } from '../database/tables.ts';
import { missingTarget } from './insert-conflicts.ts';
import {
  dropReferences,
  firstDangling,
  referenceIdentity,
  referenceRowsOf,
  writeReferences,
} from './record-references.ts';
import { toRow } from './record-row.ts';
import type { RecordToWrite, StoredRecord, WriteConflict, WriteResult } from './resource-store.ts';
import { keyIdentity, keyRowsOf, releaseKeys, takeKeys } from './unique-keys.ts';

/** Replaces a record when its stored revision is the expected one. */
export async function updateRecord(
  transaction: Transaction<Tables>,
  item: RecordToWrite,
  expectedRevision: number,
): Promise<WriteResult> {
  const currentRevision = await lockRecord(transaction, item.record);
  if (currentRevision !== expectedRevision) return conflict({ kind: 'stale', currentRevision });

  const keys = difference(await storedKeys(transaction, item.record), keyRowsOf(item), keyIdentity);
  const { takenUntil, taken } = await takeKeys(transaction, keys.added);
  const held = keys.added[takenUntil];
  if (held !== undefined) {
    await releaseKeys(transaction, taken);
    return conflict({ kind: 'key_exists', keyName: held.key_name });
  }

  const stored = await storedReferences(transaction, item.record);
  const references = difference(stored, referenceRowsOf(item), referenceIdentity);
  const position = await firstDangling(transaction, references.added);
  const dangling = position === undefined ? undefined : references.added[position];
  if (dangling !== undefined) {
    await releaseKeys(transaction, taken);
    return conflict(missingTarget(dangling));
  }

  await releaseKeys(transaction, keys.removed);
  await dropReferences(transaction, references.removed);
  await writeReferences(transaction, references.added);
  await replaceRow(transaction, item.record);
  return { ok: true };
}

/** The revision of a record that stays as it is until the transaction ends; `undefined` when there is none. */
export async function lockRecord(
  transaction: Transaction<Tables>,
  { tenantId, family, id }: Pick<StoredRecord, 'tenantId' | 'family' | 'id'>,
): Promise<number | undefined> {
  const query = transaction
    .selectFrom('resources')
    .select('revision')
    .where('tenant_id', '=', tenantId)
    .where('family', '=', family)
    .where('id', '=', id);
  const row = await traitsOf(transaction).lockRows(query, 'change').executeTakeFirst();
  return row?.revision;
}

async function replaceRow(transaction: Transaction<Tables>, record: StoredRecord): Promise<void> {
  const { tenant_id, family, id, created_at: _kept, ...columns } = toRow(record);
  await transaction
    .updateTable('resources')
    .set(columns)
    .where('tenant_id', '=', tenant_id)
    .where('family', '=', family)
    .where('id', '=', id)
    .execute();
}

function storedKeys(transaction: Transaction<Tables>, record: StoredRecord): Promise<ResourceKeyRow[]> {
  return transaction
    .selectFrom('resource_keys')
    .selectAll()
    .where('tenant_id', '=', record.tenantId)
    .where('family', '=', record.family)
    .where('id', '=', record.id)
    .execute();
}

function storedReferences(transaction: Transaction<Tables>, record: StoredRecord): Promise<ResourceReferenceRow[]> {
  return transaction
    .selectFrom('resource_references')
    .selectAll()
    .where('tenant_id', '=', record.tenantId)
    .where('family', '=', record.family)
    .where('id', '=', record.id)
    .execute();
}

function difference<Row>(
  stored: readonly Row[],
  wanted: readonly Row[],
  identity: (row: Row) => string,
): { readonly added: readonly Row[]; readonly removed: readonly Row[] } {
  const before = new Set(stored.map(identity));
  const after = new Map(wanted.map((row) => [identity(row), row]));
  return {
    added: [...after].filter(([key]) => !before.has(key)).map(([, row]) => row),
    removed: stored.filter((row) => !after.has(identity(row))),
  };
}

function conflict(found: WriteConflict): WriteResult {
  return { ok: false, conflict: found };
}
