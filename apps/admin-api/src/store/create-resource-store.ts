import type { Executor } from '../database/database.ts';
import { chunksOf } from '../database/chunks.ts';
import { insertPrepared } from './insert-in-bulk.ts';
import { insertRecords } from './insert-records.ts';
import { listRecords, scanRecords } from './list-records.ts';
import { fromRow } from './record-row.ts';
import { countReferrers, findReferrers, removeRecord } from './remove-record.ts';
import { findReferrersOfMany, removeRecords } from './remove-records.ts';
import type { ResourceStore, StoredRecord, UniqueKeyValue } from './resource-store.ts';
import { updateRecord } from './update-record.ts';
import { updateRecords } from './update-records.ts';

/** The store over the tables of `openDatabase`, the same on SQLite and PostgreSQL. It holds no state. */
export function createResourceStore(): ResourceStore {
  return {
    get: getRecord,
    getMany: getRecords,
    findByKey: findRecordByKey,
    findByIdOrKey: findRecordsByIdOrKey,
    findManyByKey: findRecordsByKey,
    list: listRecords,
    scan: scanRecords,
    async insert(transaction, item) {
      const result = await insertRecords(transaction, [item]);
      return result.ok ? result : { ok: false, conflict: result.conflict };
    },
    insertMany: insertRecords,
    insertPrepared,
    update: updateRecord,
    updateMany: updateRecords,
    remove: removeRecord,
    removeMany: removeRecords,
    referrersOfMany: findReferrersOfMany,
    referrers: findReferrers,
    countReferrers,
  };
}

async function getRecord(
  executor: Executor,
  tenantId: string,
  family: string,
  id: string,
): Promise<StoredRecord | undefined> {
  const row = await executor
    .selectFrom('resources')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('family', '=', family)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? undefined : fromRow(row);
}

async function getRecords(
  executor: Executor,
  tenantId: string,
  family: string,
  ids: readonly string[],
): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for (const chunk of chunksOf([...new Set(ids)])) {
    const rows = await executor
      .selectFrom('resources')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('family', '=', family)
      .where('id', 'in', chunk)
      .execute();
    records.push(...rows.map(fromRow));
  }
  return records;
}

async function findRecordsByIdOrKey(
  executor: Executor,
  tenantId: string,
  family: string,
  id: string,
  key: UniqueKeyValue,
): Promise<StoredRecord[]> {
  const records = executor
    .selectFrom('resources')
    .selectAll('resources')
    .where('resources.tenant_id', '=', tenantId)
    .where('resources.family', '=', family);
  const holder = executor
    .selectFrom('resource_keys')
    .select('id')
    .where('family', '=', family)
    .where('key_name', '=', key.keyName)
    .where('scope', '=', key.scope)
    .where('value', '=', key.value)
    .where('tenant_id', '=', tenantId);
  // No `or`, and no list with a query in it: without statistics the databases would read the whole family for them.
  const rows = await records
    .where('resources.id', '=', id)
    .unionAll(records.where('resources.id', '=', holder))
    .execute();
  return rows.map(fromRow);
}

async function findRecordByKey(
  executor: Executor,
  family: string,
  { value, ...key }: UniqueKeyValue,
): Promise<StoredRecord | undefined> {
  return (await findRecordsByKey(executor, family, key, [value])).get(value);
}

async function findRecordsByKey(
  executor: Executor,
  family: string,
  { keyName, scope }: Omit<UniqueKeyValue, 'value'>,
  values: readonly string[],
): Promise<Map<string, StoredRecord>> {
  const found = new Map<string, StoredRecord>();
  for (const chunk of chunksOf([...new Set(values)])) {
    const rows = await executor
      .selectFrom('resource_keys as key')
      .innerJoin('resources', (join) =>
        join
          .onRef('resources.tenant_id', '=', 'key.tenant_id')
          .onRef('resources.family', '=', 'key.family')
          .onRef('resources.id', '=', 'key.id'),
      )
      .selectAll('resources')
      .select('key.value as key_value')
      .where('key.family', '=', family)
      .where('key.key_name', '=', keyName)
      .where('key.scope', '=', scope)
      .where('key.value', 'in', chunk)
      .execute();
    for (const row of rows) found.set(row.key_value, fromRow(row));
  }
  return found;
}
