/**
 * Lines of a table in plain text: the first column to the left, the others (figures) to the right, a rule below the heads.
 * @param heads names of the columns
 * @param rows cells as text; a row shorter than `heads` is filled up with empty cells
 */
export function textTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, column) => (column === 0 ? (cells[0] ?? '').padEnd(width) : (cells[column] ?? '').padStart(width)))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [line(heads), rule, ...rows.map(line)].join('\n');
}
