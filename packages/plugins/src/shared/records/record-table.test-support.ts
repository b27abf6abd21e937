import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

interface Schema {
  readonly [keyword: string]: unknown;
}

/** A Markdown table of a record's fields, one line each, as its schema describes them. */
export function recordTable(schema: v.GenericSchema): string {
  const { properties = {} } = toJsonSchema(schema, { target: 'draft-2020-12' });
  const rows = Object.entries(properties).map(([name, field]) => [
    `\`${name}\``,
    formOf(field as Schema),
    meaningOf(field as Schema),
  ]);
  const all = [['Field', 'Form', 'Meaning'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(all[0] ?? []), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function formOf(field: Schema): string {
  if (Array.isArray(field['anyOf'])) return field['anyOf'].map((one) => formOf(one as Schema)).join(', or ');
  if (field['type'] === 'null') return 'null';
  if (field['type'] === 'string') return 'text';
  if (field['type'] === 'array') return 'list';
  if (field['type'] !== 'object') return String(field['type']);
  const inner = field['properties'];
  return inner === undefined ? 'map' : `{${Object.keys(inner as object).join(', ')}}`;
}

function meaningOf(field: Schema): string {
  if (typeof field['description'] === 'string') return field['description'];
  const [first] = (field['anyOf'] ?? []) as readonly Schema[];
  return first === undefined ? '' : meaningOf(first);
}
