/** A text that Markdown shows as it is, on one line, in a table or a summary: no mark-up, no HTML, no mention of anybody. */
export function markdownText(text: string): string {
  return text
    .replaceAll(/[\\`*_{}[\]()#+\-.!|~]/g, String.raw`\$&`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;');
}

/** A text that HTML shows as it is. */
export function htmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('@', '&#64;');
}

/** Lines as a block that shows them letter by letter. */
export function fenced(lines: readonly string[], language: string): string {
  const fence = '`'.repeat(lines.reduce((most, line) => Math.max(most, fenceLengthOf(line)), fenceLengthMin));
  return [`${fence}${language}`, ...lines, fence].join('\n');
}

/** Backticks of the shortest fence. Source: CommonMark, Fenced code blocks. */
export const fenceLengthMin = 3;

/** Backticks that a fence around a line must have at least: more than any run of them in it. */
export function fenceLengthOf(line: string): number {
  let length = fenceLengthMin;
  for (const [run] of line.matchAll(/`+/g)) length = Math.max(length, run.length + 1);
  return length;
}
