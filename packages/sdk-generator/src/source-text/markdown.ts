import { plainLines } from './plain-text.ts';

/** A text from a description as one line of Markdown that shows what it says: no markup, link, HTML or table cell can begin or end in it. */
export function markdownText(text: string | undefined): string {
  const line = plainLines(text).join(' ').trim();
  const escaped = line.replace(/[\\`*_{}[\]<>()#+\-!|~&=:$@]/g, (character) => `\\${character}`);
  // Some readers make links of bare host names, and lists of numbers in front.
  return escaped.replace(/(?<=\bwww)\.|(?<=^\d+)\./gi, '\\.');
}

/** The same in paragraphs: an empty line stays one. */
export function markdownParagraphs(text: string | undefined): readonly string[] {
  return plainLines(text).map((line) => markdownText(line));
}

/**
 * One line of a text as code. Fit for cells of tables, where a bar ends the cell, code or not: a backslash keeps it, but not after another
 * one, and then nothing but text does.
 */
export function markdownCode(text: string): string {
  const line = plainLines(text).join(' ');
  if (line.includes('\\|')) return markdownText(line);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = /^`|`$|^ .* $/.test(line) || line === '' ? ' ' : '';
  return `${fence}${space}${line.replaceAll('|', '\\|')}${space}${fence}`;
}
