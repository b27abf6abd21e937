/** Why a path is refused. The client gets 400 with the message. */
export interface PathRefusal {
  readonly code: 'malformed_path' | 'refused_path';
  readonly message: string;
}

const malformed: PathRefusal = { code: 'malformed_path', message: 'the request target is not a valid path' };
const refusedByte: PathRefusal = { code: 'refused_path', message: 'the path must not contain a backslash or a NUL' };
const refusedSegment: PathRefusal = { code: 'refused_path', message: 'the path must not contain a "..;" segment' };

/** Most paths are canonical already: no escape, no empty segment, none that begins with a dot. */
const canonical = /^(?:\/[A-Za-z0-9_~!$&'()*+,=:@-][A-Za-z0-9._~!$&'()*+,=:@-]*)*\/?$/;
const needsNoEscape = /[A-Za-z0-9._~!$&'()*+,;=:@/-]/;
const unreserved = /[A-Za-z0-9._~-]/;
const pathParameterOnDots = /(?:^|\/)\.\.(?:;|%3B)/;

/**
 * The one form of a path that is matched, shown to plugins and forwarded: escapes in upper case, unreserved characters
 * decoded, dot segments removed, slashes merged; `%2F` stays as it is. Applying it twice changes nothing.
 * Source: wire contract, Matching; decisions, 21.
 * @param raw the path of the request target as received, without query; one character a byte
 */
export function normalisePath(raw: string): string | PathRefusal {
  if (canonical.test(raw) && raw !== '') return raw;
  if (raw.charCodeAt(0) !== 0x2f) return malformed;
  const escaped = canonicalEscapes(raw);
  if (typeof escaped !== 'string') return escaped;
  if (pathParameterOnDots.test(escaped)) return refusedSegment;
  return withoutDotSegments(escaped).replaceAll(/\/{2,}/g, '/');
}

function canonicalEscapes(raw: string): string | PathRefusal {
  let result = '';
  for (let at = 0; at < raw.length; at += 1) {
    const character = raw.charAt(at);
    if (character === '%') {
      const hex = raw.slice(at + 1, at + 3);
      if (!/^[0-9A-Fa-f]{2}$/.test(hex)) return malformed;
      const decoded = String.fromCharCode(Number.parseInt(hex, 16));
      if (decoded === '\0' || decoded === '\\') return refusedByte;
      result += unreserved.test(decoded) ? decoded : `%${hex.toUpperCase()}`;
      at += 2;
    } else {
      if (character === '\\') return refusedByte;
      const byte = raw.charCodeAt(at);
      if (byte <= 0x20 || byte === 0x7f || byte > 0xff || character === '#' || character === '?') return malformed;
      result += needsNoEscape.test(character) ? character : `%${byte.toString(16).toUpperCase()}`;
    }
  }
  return result;
}

/** RFC 3986, section 5.2.4, for a path that begins with a slash. */
function withoutDotSegments(path: string): string {
  const kept: string[] = [];
  const segments = path.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === '..') kept.pop();
    if (segment !== '.' && segment !== '..') kept.push(segment);
    else if (isLast) kept.push('');
  }
  return `/${kept.join('/')}`;
}
