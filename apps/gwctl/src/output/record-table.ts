import type { Family } from '@portcullis/resources';
import type { Page } from '../api/pages.ts';
import { columnsOf } from './columns.ts';
import { table } from './table.ts';

/** Longest text of a cell in a list, in characters; a single record shows its fields whole. */
const cellLengthMax = 64;

/** A page of records for people: ID, name, and what matters most of the family. */
export function recordTable(family: Family, { items, total, skip = 0 }: Omit<Page, 'limit'>): string {
  const columns = columnsOf(family);
  const text = table(
    columns.map((column) => column.replaceAll('_', ' ')),
    items.map((item) => columns.map((column) => item[column])),
    cellLengthMax,
  );
  const rest = total - skip - items.length;
  return rest > 0 ? `${text}\n(${rest} more: --offset ${skip + items.length})` : text;
}
