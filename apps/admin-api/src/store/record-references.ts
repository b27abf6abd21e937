import type { Transaction } from 'kysely';
import { traitsOf } from '../database/dialect-traits.ts';
import type { ResourceReferenceRow, Tables } from '../database/tables.ts';
import { chunksOf } from '../database/chunks.ts';
import { executeLater } from '../database/deferred-statement.ts';
import type { RecordToWrite } from './resource-store.ts';

/** The reference rows of a record, each once. */
export function referenceRowsOf({ record, references }: RecordToWrite): ResourceReferenceRow[] {
  const rows = references.map((reference) => ({
    tenant_id: record.tenantId,
    family: record.family,
    id: record.id,
    field: reference.field,
    target_family: reference.targetFamily,
    target_id: reference.targetId,
  }));
  if (rows.length < 2) return rows;
  return [...new Map(rows.map((row) => [referenceIdentity(row), row])).values()];
}

/** A text that is the same for the same reference of the same record. */
export function referenceIdentity(row: ResourceReferenceRow): string {
  return JSON.stringify([row.tenant_id, row.family, row.id, row.field, row.target_family, row.target_id]);
}

/**
 * The position of the first reference whose target does not exist. The targets that do exist are kept from being
 * removed until the transaction ends, so writing the references cannot fail afterwards.
 */
export async function firstDangling(
  transaction: Transaction<Tables>,
  rows: readonly ResourceReferenceRow[],
): Promise<number | undefined> {
  const { lockRows } = traitsOf(transaction);
  const existing = new Set<string>();
  for (const group of Map.groupBy(rows, (row) => JSON.stringify([row.tenant_id, row.target_family])).values()) {
    const [first] = group;
    if (first === undefined) continue;
    // Sorted: two transactions that lock the same targets take them in the same order and cannot deadlock.
    const ids = [...new Set(group.map((row) => row.target_id))].toSorted();
    for (const chunk of chunksOf(ids)) {
      const query = transaction
        .selectFrom('resources')
        .select('id')
        .where('tenant_id', '=', first.tenant_id)
        .where('family', '=', first.target_family)
        .where('id', 'in', chunk)
        .orderBy('id');
      for (const { id } of await lockRows(query, 'keep').execute()) {
        existing.add(targetIdentity({ ...first, target_id: id }));
      }
    }
  }
  const position = rows.findIndex((row) => !existing.has(targetIdentity(row)));
  return position === -1 ? undefined : position;
}

/** Writes references whose targets were checked. */
export async function writeReferences(
  transaction: Transaction<Tables>,
  rows: readonly ResourceReferenceRow[],
): Promise<void> {
  for (const chunk of chunksOf(rows)) {
    await executeLater(transaction, transaction.insertInto('resource_references').values(chunk));
  }
}

/** Removes references. */
export async function dropReferences(
  transaction: Transaction<Tables>,
  rows: readonly ResourceReferenceRow[],
): Promise<void> {
  for (const row of rows) {
    await transaction
      .deleteFrom('resource_references')
      .where('tenant_id', '=', row.tenant_id)
      .where('family', '=', row.family)
      .where('id', '=', row.id)
      .where('field', '=', row.field)
      .where('target_family', '=', row.target_family)
      .where('target_id', '=', row.target_id)
      .execute();
  }
}

function targetIdentity(row: ResourceReferenceRow): string {
  return JSON.stringify([row.tenant_id, row.target_family, row.target_id]);
}
