import { plainLines } from '../../source-text/plain-text.ts';

/** A text as a Python literal of ASCII characters. */
export function literal(text: string): string {
  const escaped = text.replace(/[\\"]|[^\x20-\x7e]/gu, (character) => {
    if (character === '\\' || character === '"') return `\\${character}`;
    if (character === '\n') return '\\n';
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
  });
  return `"${escaped}"`;
}

/** A tuple of texts. */
export function tuple(items: readonly string[]): string {
  return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`;
}

/** A text of the description inside of a docstring: it cannot end it, and backslashes stay what they are. */
export function docText(text: string | undefined): readonly string[] {
  return plainLines(text).map(docLine);
}

/** A docstring of lines that `docText` made, or of our own. */
export function docstring(lines: readonly string[]): readonly string[] {
  const [first = '', ...rest] = lines;
  // A quote right before the end would be part of it.
  if (rest.length === 0 && !first.endsWith('"')) return [`"""${first}"""`];
  return [`"""${first}`, ...rest, '"""'];
}

/** A comment above what it is about. */
export function comment(text: string | undefined): readonly string[] {
  return plainLines(text).map((line) => `#: ${line}`.trimEnd());
}

function docLine(line: string): string {
  return line.replaceAll('\\', '\\\\').replace(/"{3,}/g, (quotes) => '\\"'.repeat(quotes.length));
}
