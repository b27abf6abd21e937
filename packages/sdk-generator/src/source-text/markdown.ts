import { plainLines } from './plain-text.ts';

/** A text from a description as one line of Markdown that shows what it says: no markup, link, HTML or table cell can begin or end in it. */
export function markdownText(text: string | undefined): string {
  const line = plainLines(text).join(' ').trim();
  return line.replace(/[\\`*_{}[\]<>()#+\-!|~&=:$@]/g, (character) => `\\${character}`);
}

/** The same in paragraphs: an empty line stays one. */
export function markdownParagraphs(text: string | undefined): readonly string[] {
  return plainLines(text).map((line) => markdownText(line));
}

/** One line of a text as code. Fit for cells of tables. */
export function markdownCode(text: string): string {
  const line = plainLines(text).join(' ');
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = /^`|`$|^ .* $/.test(line) || line === '' ? ' ' : '';
  // Inside of a table a bar ends the cell, code or not.
  return `${fence}${space}${line.replaceAll('|', '\\|')}${space}${fence}`;
}
