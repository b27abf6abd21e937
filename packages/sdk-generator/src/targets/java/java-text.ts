import { plainLines } from '../../source-text/plain-text.ts';

/** Characters of one literal. The class format holds 65,535 bytes in each, and one character takes up to three. */
const literalLengthMax = 20_000;

/** An expression for a text, in ASCII. The only way in which texts of a description get into code. */
export function javaString(text: string): string {
  if (text.length <= literalLengthMax) return literal(text);
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += literalLengthMax)
    pieces.push(literal(text.slice(at, at + literalLengthMax)));
  return `String.join("", ${pieces.join(', ')})`;
}

function literal(text: string): string {
  return `"${text.replace(/["\\]|[^\x20-\x7e]/g, escaped)}"`;
}

function escaped(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  // Unicode escapes of line ends would be line ends before Java reads the literal.
  if (character === '\n') return String.raw`\n`;
  if (character === '\r') return String.raw`\r`;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Text of a description within a Javadoc comment: HTML without tags, and without the backslash that Java reads even there. */
export function javadocText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;')
    .replaceAll('\\', '&#92;')
    .replaceAll('{', '&#123;')
    .replaceAll('}', '&#125;')
    .replaceAll('*/', '*&#47;')
    .replaceAll('/*', '&#47;*');
}

/** One line of text of a description, for tags of Javadoc. */
export function javadocLine(text: string | undefined): string {
  return javadocText(plainLines(text).join(' ').trim());
}

/** What stands in a comment. Everything in it is finished HTML but for `texts`. */
export interface Javadoc {
  /** From the description, one paragraph or more each. What is `undefined` is left out. */
  readonly texts?: readonly (string | undefined)[];
  /** Paragraphs of ours. */
  readonly notes?: readonly string[];
  readonly tags?: readonly string[];
}

/** The lines of a Javadoc comment; none where there is nothing to say. */
export function javadoc({ texts = [], notes = [], tags = [] }: Javadoc): readonly string[] {
  const paragraphs = [...texts.flatMap(paragraphsOf), ...notes.map((note) => [note])];
  const lines = paragraphs.flatMap(([first = '', ...rest], index) =>
    index === 0 ? [first, ...rest] : ['', `<p>${first}`, ...rest],
  );
  const all = [...lines, ...(lines.length > 0 && tags.length > 0 ? [''] : []), ...tags];
  if (all.length === 0) return [];
  if (all.length === 1 && !all[0]?.startsWith('@')) return [`/** ${all[0]} */`];
  return ['/**', ...all.map((line) => (line === '' ? ' *' : ` * ${line}`)), ' */'];
}

function paragraphsOf(text: string | undefined): readonly (readonly string[])[] {
  const paragraphs: string[][] = [[]];
  for (const line of plainLines(text)) {
    if (line === '') paragraphs.push([]);
    else paragraphs.at(-1)?.push(javadocText(line).trim());
  }
  return paragraphs.filter((lines) => lines.length > 0);
}
