import { plainLines } from '../../source-text/plain-text.ts';

/** A text as a Go literal of ASCII characters. Halves of surrogate pairs are no text in Go. */
export function literal(text: string): string {
  const escaped = text.replace(/[\\"]|[^\x20-\x7e]/gu, (character) => {
    if (character === '\\' || character === '"') return `\\${character}`;
    if (character === '\n') return '\\n';
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xd800 && code <= 0xdfff) return '\\ufffd';
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
  });
  return `"${escaped}"`;
}

/** Columns of a comment. */
const columns = 100;

/** What gofmt takes for a heading, an item of a list or the address of a link, where it begins a line. */
const markup = /^(?:[#[*+•-]|\d+[.)])/;

/**
 * A text of the description as one paragraph of a comment that gofmt leaves alone. It begins with words of ours, so that nothing in it
 * is a directive or markup.
 */
export function paragraph(begin: string, text: string | undefined): readonly string[] {
  const words = plainLines(text)
    .join(' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    // Two of them are turned into quotes of another kind.
    .map((word) => word.replaceAll('``', '"').replaceAll("''", '"'));
  const lines = [begin];
  for (const word of words) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length < columns || markup.test(word)) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Paragraphs as a comment. */
export function comment(...paragraphs: readonly (readonly string[])[]): readonly string[] {
  return paragraphs
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => [...(index === 0 ? [] : ['//']), ...lines.map((line) => `// ${line}`)]);
}

/** Pairs in columns, as gofmt puts lines that follow each other. */
export function aligned(pairs: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(0, ...pairs.map(([first]) => first.length));
  return pairs.map(([first, second]) => `${first.padEnd(width)} ${second}`);
}
