import type { Transaction } from 'kysely';
import { chunksOf } from '../database/chunks.ts';
import { executeLater } from '../database/deferred-statement.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import type { Tables } from '../database/tables.ts';
import { conflictAt, missingTarget } from './insert-conflicts.ts';
import { firstDangling, referenceIdentity, referenceRowsOf, writeReferences } from './record-references.ts';
import { toRow } from './record-row.ts';
import type { BulkWriteResult, RecordToWrite, RecordUpdate } from './resource-store.ts';
import { keyIdentity, keyRowsOf, takeKeys } from './unique-keys.ts';

/** The records of one family of one tenant. */
interface Place {
  readonly tenantId: string;
  readonly family: string;
}

/** Tables whose rows belong to a record. */
type OwnTable = 'resource_keys' | 'resource_references';

/** Replaces records of one family and tenant in few statements, whose number grows with the chunks and not with the records. */
export async function updateRecords(
  transaction: Transaction<Tables>,
  updates: readonly RecordUpdate[],
): Promise<BulkWriteResult> {
  const [first] = updates;
  if (!first) return { ok: true };
  const place = first.item.record;
  const items = updates.map(({ item }) => item);
  const revisions = await lockRecords(transaction, place, idsOf(items));
  for (const [index, { item, expectedRevision }] of updates.entries()) {
    const currentRevision = revisions.get(item.record.id);
    if (currentRevision !== expectedRevision) return conflictAt(index, { kind: 'stale', currentRevision });
  }
  const refusal =
    (await replaceKeys(transaction, place, items)) ?? (await replaceReferences(transaction, place, items));
  if (refusal) return refusal;
  for (const chunk of chunksOf(items)) await replaceRows(transaction, chunk);
  return { ok: true };
}

/** The revisions of records that stay as they are until the transaction ends, by ID. */
async function lockRecords(transaction: Transaction<Tables>, { tenantId, family }: Place, ids: readonly string[]) {
  const revisions = new Map<string, number>();
  // Sorted: two transactions that lock the same records take them in the same order and cannot deadlock.
  for (const chunk of chunksOf(ids.toSorted())) {
    const query = transaction
      .selectFrom('resources')
      .select(['id', 'revision'])
      .where('tenant_id', '=', tenantId)
      .where('family', '=', family)
      .where('id', 'in', chunk)
      .orderBy('id');
    const rows = await traitsOf(transaction).lockRows(query, 'change').execute();
    for (const { id, revision } of rows) revisions.set(id, revision);
  }
  return revisions;
}

/** All that change give their values back before one is taken, so that two may swap theirs. */
async function replaceKeys(transaction: Transaction<Tables>, place: Place, items: readonly RecordToWrite[]) {
  const stored = await rowsOf(transaction, 'resource_keys', place, idsOf(items));
  const changed = changedItems(items, (item) => {
    return !isSameSet(stored.get(item.record.id)?.map(keyIdentity) ?? [], keyRowsOf(item).map(keyIdentity));
  });
  await dropRows(transaction, 'resource_keys', place, changed);
  const wanted = changed.flatMap(({ index, item }) => keyRowsOf(item).map((row) => ({ index, row })));
  const { takenUntil } = await takeKeys(
    transaction,
    wanted.map(({ row }) => row),
  );
  const held = wanted[takenUntil];
  return held && conflictAt(held.index, { kind: 'key_exists', keyName: held.row.key_name });
}

async function replaceReferences(transaction: Transaction<Tables>, place: Place, items: readonly RecordToWrite[]) {
  const stored = await rowsOf(transaction, 'resource_references', place, idsOf(items));
  const storedIn = (id: string): string[] => stored.get(id)?.map(referenceIdentity) ?? [];
  const changed = changedItems(items, (item) => {
    return !isSameSet(storedIn(item.record.id), referenceRowsOf(item).map(referenceIdentity));
  });
  const wanted = changed.flatMap(({ index, item }) => {
    const before = new Set(storedIn(item.record.id));
    return referenceRowsOf(item).map((row) => ({ index, row, isNew: !before.has(referenceIdentity(row)) }));
  });
  const added = wanted.filter(({ isNew }) => isNew);
  const position = await firstDangling(
    transaction,
    added.map(({ row }) => row),
  );
  const dangling = position === undefined ? undefined : added[position];
  if (dangling) return conflictAt(dangling.index, missingTarget(dangling.row));
  await dropRows(transaction, 'resource_references', place, changed);
  await writeReferences(
    transaction,
    wanted.map(({ row }) => row),
  );
  return undefined;
}

/** The keys or references of records, by the record's ID. */
async function rowsOf<Table extends OwnTable>(
  transaction: Transaction<Tables>,
  table: Table,
  { tenantId, family }: Place,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Tables[Table][]>> {
  const rows: Tables[Table][] = [];
  for (const chunk of chunksOf(ids)) {
    const found = await transaction
      .selectFrom<OwnTable>(table)
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('family', '=', family)
      .where('id', 'in', chunk)
      .execute();
    rows.push(...(found as Tables[Table][]));
  }
  return Map.groupBy(rows, ({ id }) => id);
}

async function dropRows(
  transaction: Transaction<Tables>,
  table: OwnTable,
  { tenantId, family }: Place,
  changed: readonly ChangedItem[],
): Promise<void> {
  for (const chunk of chunksOf(idsOf(changed.map(({ item }) => item)))) {
    const rows = transaction.deleteFrom(table).where('tenant_id', '=', tenantId).where('family', '=', family);
    await executeLater(transaction, rows.where('id', 'in', chunk));
  }
}

/** The rows are there and locked, so each insertion turns into an update; when they were made stays. */
async function replaceRows(transaction: Transaction<Tables>, items: readonly RecordToWrite[]): Promise<void> {
  const insert = transaction.insertInto('resources').values(items.map(({ record }) => toRow(record)));
  await executeLater(
    transaction,
    insert.onConflict((conflict) =>
      conflict.columns(['tenant_id', 'family', 'id']).doUpdateSet(({ ref }) => ({
        gateway_id: ref('excluded.gateway_id'),
        name: ref('excluded.name'),
        enabled: ref('excluded.enabled'),
        revision: ref('excluded.revision'),
        updated_at: ref('excluded.updated_at'),
        body: ref('excluded.body'),
        secrets: ref('excluded.secrets'),
        tenant_revision: ref('excluded.tenant_revision'),
      })),
    ),
  );
}

interface ChangedItem {
  readonly index: number;
  readonly item: RecordToWrite;
}

function changedItems(items: readonly RecordToWrite[], isChanged: (item: RecordToWrite) => boolean): ChangedItem[] {
  return items.map((item, index) => ({ index, item })).filter(({ item }) => isChanged(item));
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  const known = new Set(left);
  return known.size === new Set(right).size && right.every((entry) => known.has(entry));
}

function idsOf(items: readonly RecordToWrite[]): string[] {
  return items.map(({ record }) => record.id);
}
