import { byTypeAndValue, TYPES, type Attribute, type DistinguishedName } from './distinguished-name.ts';

/**
 * Reads a name from its text, `CN=client,O=Acme\, Inc.,C=DE`: the narrowest relative name first, `+` between the attributes of one,
 * spaces around separators allowed. Source: RFC 4514, with the spaces of RFC 2253, section 4.
 * @returns `undefined` for a text of another form, or with a keyword that is not known; object identifiers are always taken
 */
export function parseName(text: string): DistinguishedName | undefined {
  const relative = splitAt(text, ',').map((part) => splitAt(part, '+').map(parseAttribute));
  if (relative.some((attributes) => attributes.some((attribute) => attribute === undefined))) return undefined;
  return (relative as Attribute[][]).map((attributes) => attributes.toSorted(byTypeAndValue)).toReversed();
}

/** Writes a name as text, in printable ASCII: what is beyond it is escaped as the hex of its UTF-8. Source: RFC 4514, section 2. */
export function writeName(name: DistinguishedName): string {
  return name
    .toReversed()
    .map((attributes) => attributes.map(([type, value]) => `${KEYWORDS.get(type) ?? type}=${escaped(value)}`).join('+'))
    .join(',');
}

const KEYWORDS: ReadonlyMap<string, string> = new Map(Object.entries(TYPES).map(([keyword, type]) => [type, keyword]));

/** Parts between separators that are not escaped. */
function splitAt(text: string, separator: ',' | '+'): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function parseAttribute(text: string): Attribute | undefined {
  const mark = text.indexOf('=');
  const keyword = text.slice(0, Math.max(mark, 0)).trim().toUpperCase();
  const type = /^[0-2](?:\.(?:0|[1-9]\d*))+$/.test(keyword) ? keyword : typeOf(keyword);
  const given = withoutSpaces(text.slice(mark + 1));
  if (type === undefined || given === '') return undefined;
  if (given.startsWith('#')) return /^#(?:[0-9a-f]{2})+$/i.test(given) ? [type, given.toLowerCase()] : undefined;
  const value = unescaped(given);
  return value === undefined ? undefined : [type, value];
}

/** Spaces around a value do not belong to it, but for one at the end that is escaped. */
function withoutSpaces(text: string): string {
  const value = text.trimStart();
  const end = value.length - lengthAtEnd(value, ' ', value.length);
  const isEscaped = end < value.length && lengthAtEnd(value, '\\', end) % 2 === 1;
  return value.slice(0, isEscaped ? end + 1 : end);
}

/** How often a character stands before a place without another between. */
function lengthAtEnd(text: string, character: string, end: number): number {
  let at = end;
  while (at > 0 && text[at - 1] === character) at -= 1;
  return end - at;
}

function typeOf(keyword: string): string | undefined {
  if (keyword === 'E') return TYPES.EMAILADDRESS;
  return Object.hasOwn(TYPES, keyword) ? TYPES[keyword as keyof typeof TYPES] : undefined;
}

/** Pairs of hex digits are bytes of UTF-8, other escaped characters stand for themselves. */
function unescaped(text: string): string | undefined {
  const bytes: Uint8Array[] = [];
  for (const [piece] of text.matchAll(/\\[0-9a-f]{2}|\\[ "#+,;<=>\\]|[^\\]+|\\/gis)) {
    if (piece === '\\' || (!piece.startsWith('\\') && /["+,;<>\0]/.test(piece))) return undefined;
    if (!piece.startsWith('\\')) bytes.push(Buffer.from(piece));
    else bytes.push(piece.length === 3 ? Buffer.from(piece.slice(1), 'hex') : Buffer.from(piece.slice(1)));
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(bytes));
  } catch {
    return undefined;
  }
}

function escaped(value: string): string {
  if (value.startsWith('#')) return value;
  return value
    .replace(/[",+;<>\\]/g, '\\$&')
    .replace(/^ | $/g, '\\ ')
    .replace(/[^\x20-\x7e]+/gs, (run) => Buffer.from(run).toString('hex').toUpperCase().replace(/../g, '\\$&'));
}
