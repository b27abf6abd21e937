/** A table in Markdown. Cells may hold anything but line breaks: bars are escaped. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** What stands above everything that is written by `npm run generate`. */
export const generatedNote = '<!-- Written by `npm run generate` from the declarations in the code. Change those. -->';
