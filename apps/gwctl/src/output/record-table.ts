import type { Family } from '@portcullis/resources';
import { table } from './table.ts';

/** Columns beside the ID, at most: more do not fit a terminal. */
const columnsMax = 5;
const tooLong = new Set(['name', 'username', 'description', 'labels', 'metadata', 'config', 'execution', 'plugins']);

/** A page of records for people: ID, name, and the first fields that the records have, in the order of the catalogue. */
export function recordTable(family: Family, page: unknown): string {
  const { items, total, skip } = pageOf(page);
  const nameField = ['name', 'username'].find((field) => field in family.fields);
  const declared = [...Object.keys(family.fields), ...Object.keys(family.readOnlyFields)];
  const others = declared.filter((field) => !tooLong.has(field) && items.some((item) => isShown(item[field])));
  const columns = ['id', ...(nameField === undefined ? [] : [nameField]), ...others.slice(0, columnsMax - 1)];
  const rows = items.map((item) => columns.map((column) => item[column]));
  const text = table(
    columns.map((column) => column.replaceAll('_', ' ')),
    rows,
  );
  const rest = total - skip - items.length;
  return rest > 0 ? `${text}\n(${rest} more: --offset ${skip + items.length})` : text;
}

function isShown(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return Array.isArray(value) ? value.length > 0 : typeof value !== 'object';
}

function pageOf(page: unknown): { items: readonly Record<string, unknown>[]; total: number; skip: number } {
  const { items, total, skip } = (page ?? {}) as Record<string, unknown>;
  const list = Array.isArray(items) ? (items as Record<string, unknown>[]) : [];
  return { items: list, total: Number(total ?? list.length), skip: Number(skip ?? 0) };
}
