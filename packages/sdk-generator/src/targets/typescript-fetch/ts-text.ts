import { plainLines } from '../../source-text/plain-text.ts';
import type { Lines } from '../../source-text/lines.ts';

/** A text as a literal: ASCII alone, whatever is in it. */
export function literal(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `'${escaped}'`;
}

/** A list of texts as a literal. */
export function literals(texts: readonly string[]): string {
  return `[${texts.map(literal).join(', ')}]`;
}

/** A comment for readers and editors; nothing where there is nothing to say. Nothing in it ends it, and no line of it is a tag. */
export function docComment(texts: readonly (string | undefined)[], tags: readonly string[] = []): Lines {
  const paragraphs = texts.map((text) => plainLines(text)).filter((lines) => lines.length > 0);
  const lines = paragraphs.flatMap((paragraph, index) => (index === 0 ? paragraph : ['', ...paragraph]));
  const safe = [...lines.map((line) => line.replaceAll('*/', '*\\/').replace(/^(\s*)@/, '$1\\@')), ...tags];
  const [first, ...others] = safe;
  if (first === undefined) return undefined;
  if (others.length === 0) return `/** ${first} */`;
  return ['/**', ...safe.map((line) => ` * ${line}`.trimEnd()), ' */'];
}

/** The mark of what should not be used any more. */
export function deprecated(isDeprecated: boolean): readonly string[] {
  return isDeprecated ? ['@deprecated'] : [];
}
