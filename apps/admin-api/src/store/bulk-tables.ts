import type { BulkRow, BulkTable } from '../database/bulk-insert.ts';
import type { ResourceKeyRow, ResourceReferenceRow, ResourceRow } from '../database/tables.ts';

/** What each row of a table says of a column. */
type Columns<Row> = Readonly<Record<keyof Row, 'text' | 'integer'>>;

const resourceColumns: Columns<ResourceRow> = {
  tenant_id: 'text',
  family: 'text',
  id: 'text',
  gateway_id: 'text',
  name: 'text',
  enabled: 'integer',
  revision: 'integer',
  created_at: 'integer',
  updated_at: 'integer',
  body: 'text',
  secrets: 'text',
  tenant_revision: 'integer',
};
const keyColumns: Columns<ResourceKeyRow> = {
  family: 'text',
  key_name: 'text',
  scope: 'text',
  value: 'text',
  tenant_id: 'text',
  id: 'text',
};
const referenceColumns: Columns<ResourceReferenceRow> = {
  tenant_id: 'text',
  family: 'text',
  id: 'text',
  field: 'text',
  target_family: 'text',
  target_id: 'text',
};

/** Where many records go at once. */
export const resourceTable: BulkTable = { table: 'resources', columns: resourceColumns };
/** Where their unique values go; one that is held already is left to its holder, and the caller has to find that out. */
export const keyTable: BulkTable = { table: 'resource_keys', columns: keyColumns, ending: 'on conflict do nothing' };
/** Where their references go. */
export const referenceTable: BulkTable = { table: 'resource_references', columns: referenceColumns };

/** The values of a row in the order of the table's columns. */
export function bulkRow({ columns }: BulkTable, row: Readonly<Record<string, string | number | null>>): BulkRow {
  return Object.keys(columns).map((column) => row[column] ?? null);
}
