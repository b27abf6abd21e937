import type { HeaderEdit } from '@portcullis/plugin-runtime';

/**
 * Every value that a cookie has in a request, over all lines of its `cookie` field: HTTP/2 sends several.
 * Source: RFC 6265, section 5.4; RFC 9113, section 8.2.3.
 */
export function cookieValues(lines: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (const line of lines) {
    for (let begin = 0, end = 0; begin <= line.length; begin = end + 1) {
      end = line.indexOf(';', begin);
      if (end < 0) end = line.length;
      const at = valueBegin(line, begin, name);
      if (at > 0 && at <= end) values.push(line.slice(at, end).trim());
    }
  }
  return values;
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

function isNamed(pair: string, name: string): boolean {
  return valueBegin(pair, 0, name) > 0;
}

/**
 * Where the value begins of a pair that begins at a place; 0 when it has another name, or none. Whoever reads the pair may overlook
 * spaces around the name: so does this.
 */
function valueBegin(line: string, begin: number, name: string): number {
  const at = afterSpaces(line, begin);
  if (!line.startsWith(name, at)) return 0;
  const equals = afterSpaces(line, at + name.length);
  return line.charCodeAt(equals) === EQUALS ? equals + 1 : 0;
}

function afterSpaces(line: string, begin: number): number {
  let at = begin;
  while (line.charCodeAt(at) === SPACE || line.charCodeAt(at) === TAB) at += 1;
  return at;
}

const TAB = 0x09;
const SPACE = 0x20;
const EQUALS = 0x3d;
