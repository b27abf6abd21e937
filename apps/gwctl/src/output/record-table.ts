import type { Family } from '@portcullis/resources';
import { columnsOf } from './columns.ts';
import { table } from './table.ts';

/** Longest text of a cell in a list, in characters; a single record shows its fields whole. */
const cellLengthMax = 64;

/** A page of records for people: ID, name, and what matters most of the family. */
export function recordTable(family: Family, page: unknown): string {
  const { items, total, skip } = pageOf(page);
  const columns = columnsOf(family);
  const text = table(
    columns.map((column) => column.replaceAll('_', ' ')),
    items.map((item) => columns.map((column) => item[column])),
    cellLengthMax,
  );
  const rest = total - skip - items.length;
  return rest > 0 ? `${text}\n(${rest} more: --offset ${skip + items.length})` : text;
}

function pageOf(page: unknown): { items: readonly Record<string, unknown>[]; total: number; skip: number } {
  const { items, total, skip } = (page ?? {}) as Record<string, unknown>;
  const list = Array.isArray(items) ? (items as Record<string, unknown>[]) : [];
  return { items: list, total: Number(total ?? list.length), skip: Number(skip ?? 0) };
}
