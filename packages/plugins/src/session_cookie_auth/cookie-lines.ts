import type { HeaderEdit } from '@portcullis/plugin-runtime';

/**
 * Every value that a cookie has in a request, over all lines of its `cookie` field: HTTP/2 sends several.
 * Source: RFC 6265, section 5.4; RFC 9113, section 8.2.3.
 */
export function cookieValues(lines: readonly string[], name: string): readonly string[] {
  return lines.flatMap((line) =>
    line.split(';').flatMap((pair) => (isNamed(pair, name) ? [pair.slice(pair.indexOf('=') + 1).trim()] : [])),
  );
}

/** Edits that take one cookie out of a request. All other cookies stay as the client sent them, byte for byte. */
export function cookieRemoval(lines: readonly string[], name: string): readonly HeaderEdit[] {
  const left = lines.map((line) => withoutCookie(line, name));
  if (left.every((line, index) => line === lines[index])) return [];
  const [first, ...others] = left.filter((line) => line !== '');
  if (first === undefined) return [REMOVAL];
  const more = others.map((value): HeaderEdit => ({ op: 'append', name: 'cookie', value }));
  return [{ op: 'set', name: 'cookie', value: first }, ...more];
}

const REMOVAL: HeaderEdit = { op: 'remove', name: 'cookie' };

function withoutCookie(line: string, name: string): string {
  const pairs = line.split(';');
  const left = pairs.filter((pair) => !isNamed(pair, name));
  if (left.length === pairs.length) return line;
  // What stood behind the first cookie begins with the space that parted the two.
  return left[0] === pairs[0] ? left.join(';') : left.join(';').trimStart();
}

/** Whether a piece between semicolons is a pair of this name. Whoever reads it may overlook spaces around the name: so does this. */
function isNamed(pair: string, name: string): boolean {
  const end = pair.indexOf('=');
  return end >= 0 && pair.slice(0, end).trim() === name;
}
