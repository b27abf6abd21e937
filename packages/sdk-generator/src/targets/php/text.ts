import { plainLines } from '../../source-text/plain-text.ts';
import { linesOf, type Lines } from '../../source-text/lines.ts';

/** A text as a PHP literal of ASCII characters. Halves of surrogate pairs are no text in UTF-8. */
export function literal(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;
  const escaped = text.replace(/[\\"$]|[^\x20-\x7e]/gu, (character) => {
    if (character === '\\' || character === '"' || character === '$') return `\\${character}`;
    if (character === '\n') return '\\n';
    const code = character.codePointAt(0) ?? 0;
    return code >= 0xd800 && code <= 0xdfff ? '\\u{fffd}' : `\\u{${code.toString(16)}}`;
  });
  return `"${escaped}"`;
}

/** A list of literals. */
export function listLiteral(items: readonly string[]): string {
  return `[${items.map(literal).join(', ')}]`;
}

/** A text of the description for a comment: it can neither end it nor begin a tag of a documentation tool. */
export function docText(text: string | undefined): readonly string[] {
  return plainLines(text).map((line) => line.replaceAll('*/', '* /').replaceAll('@', '(at)'));
}

/** The same in one line. */
export function docLine(text: string | undefined): string {
  return docText(text).join(' ').replace(/\s+/g, ' ').trim();
}

/** A comment of lines that `docText` made, or of our own. */
export function docComment(lines: Lines): readonly string[] {
  const all = [...linesOf(lines)];
  while (all.at(-1) === '') all.pop();
  if (all.length === 0) return [];
  if (all.length === 1) return [`/** ${all[0]} */`];
  return ['/**', ...all.map((line) => ` * ${line}`.trimEnd()), ' */'];
}
