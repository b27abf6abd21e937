import { harmlessText } from '@portcullis/bundle-diff';
import Table from 'cli-table3';
import { coloured } from './terminal.ts';

const lines = ['top', 'bottom', 'mid', 'left', 'right'] as const;
const joints = ['top-mid', 'top-left', 'top-right', 'bottom-mid', 'bottom-left', 'bottom-right'] as const;
const crossings = ['left-mid', 'mid-mid', 'right-mid'] as const;
const noLines = Object.fromEntries([...lines, ...joints, ...crossings].map((part) => [part, '']));

/**
 * Columns of text under upper-case headings, without lines: people read it and `awk` does too.
 * @param cellLengthMax longer texts are cut, with `…` in place of what is missing
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly unknown[])[],
  cellLengthMax = Number.POSITIVE_INFINITY,
): string {
  const made = new Table({
    head: headings.map((heading) => coloured('bold', heading.toUpperCase())),
    chars: { ...noLines, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const row of rows) made.push(row.map((value) => shortened(cell(value), cellLengthMax)));
  return withoutTrailingSpace(made.toString());
}

/** One line per field of a record. */
export function fieldTable(record: Readonly<Record<string, unknown>>): string {
  return table(['field', 'value'], Object.entries(record));
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '-';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return harmlessText(value.join(',')) || '-';
  return harmlessText(typeof value === 'string' ? value : JSON.stringify(value));
}

function shortened(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).toWellFormed()}…`;
}

function withoutTrailingSpace(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
