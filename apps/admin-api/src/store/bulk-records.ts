import type { BulkRow } from '../database/bulk-insert.ts';
import { bulkRow, keyTable, referenceTable, resourceTable } from './bulk-tables.ts';
import { referenceRowsOf } from './record-references.ts';
import { toRow } from './record-row.ts';
import type { RecordToWrite } from './resource-store.ts';
import { keyRowsOf } from './unique-keys.ts';

/** A unique value of one of many records. */
export interface BulkKey {
  /** Position of its record. */
  readonly index: number;
  readonly row: BulkRow;
}

/** Records of one family and tenant as rows that only have to be sent. */
export interface BulkRecords {
  readonly tenantId: string;
  readonly family: string;
  readonly ids: readonly string[];
  /** The tenant's revision that they are written with. */
  readonly tenantRevisions: ReadonlySet<number>;
  readonly records: readonly BulkRow[];
  readonly keys: readonly BulkKey[];
  readonly references: readonly BulkRow[];
}

/**
 * Writes records down as rows. That takes as long as sending them, so whoever can does it before a transaction: on SQLite everyone
 * else waits for that.
 * @param items at least one, all of one family and tenant
 * @throws UnstorableTextError
 */
export function bulkRecords(items: readonly RecordToWrite[]): BulkRecords {
  const [first] = items;
  if (!first) throw new RangeError('there are no records to write down');
  const { tenantId, family } = first.record;
  return {
    tenantId,
    family,
    ids: items.map(({ record }) => record.id),
    tenantRevisions: new Set(items.map(({ record }) => record.tenantRevision)),
    records: items.map(({ record }) => bulkRow(resourceTable, { ...toRow(record) })),
    keys: items.flatMap((item, index) => keyRowsOf(item).map((row) => ({ index, row: bulkRow(keyTable, { ...row }) }))),
    references: items.flatMap((item) => referenceRowsOf(item).map((row) => bulkRow(referenceTable, { ...row }))),
  };
}
