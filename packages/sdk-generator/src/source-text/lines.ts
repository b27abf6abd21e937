/**
 * Pieces of source text put together: texts may hold several lines, lists are put in line by line, and what is `false` or `undefined` is
 * left out, so that a part can stand behind its condition.
 */
export type Lines = string | false | undefined | readonly Lines[];

/** One text of all lines. */
export function textOf(...parts: readonly Lines[]): string {
  return `${linesOf(parts).join('\n')}\n`;
}

/** The same lines further to the right. Empty ones stay empty. */
export function indented(parts: Lines, by = '  '): readonly string[] {
  return linesOf(parts).map((line) => (line === '' ? '' : by + line));
}

/** Every line by itself. */
export function linesOf(parts: Lines): readonly string[] {
  if (parts === false || parts === undefined) return [];
  return typeof parts === 'string' ? parts.split('\n') : parts.flatMap((part) => linesOf(part));
}
