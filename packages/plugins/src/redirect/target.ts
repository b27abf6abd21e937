/** Where a redirect leads, taken apart. */
export interface RedirectTarget {
  /** `https://host[:port]`; empty for a place on the host that was asked. */
  readonly origin: string;
  /** Begins with one `/`. */
  readonly path: string;
  /** Without `?`. */
  readonly query: string;
  /** With `#`, or empty. */
  readonly fragment: string;
}

/** Any host that is nobody's: paths are read against it. Source: RFC 6761, 6.4. */
const nowhere = 'http://gateway.invalid';

/**
 * Reads what a config calls the target: an `http:` or `https:` address, or a path on the same host.
 * @returns what is wrong with the text when it is neither
 */
export function readTarget(text: string): RedirectTarget | string {
  // URL parsers take line breaks out, and backslashes for slashes: what is read must be what was written.
  if (/[\p{Cc}\s\\]/u.test(text)) return 'must have no space, control character and backslash';
  const isPath = text.startsWith('/');
  if (isPath ? text.startsWith('//') : !/^https?:\/\/[^/]/i.test(text))
    return 'must begin with http://, https:// or one /';
  const url = URL.parse(text, nowhere);
  if (url === null || (isPath && url.origin !== nowhere)) return 'must be an address that can be read';
  if (url.username !== '' || url.password !== '') return 'must have no user and password';
  return {
    origin: isPath ? '' : url.origin,
    path: oneSlash(url.pathname),
    query: url.search.slice(1),
    fragment: url.hash,
  };
}

/** What of a request a redirect takes along. */
export interface PreservedParts {
  readonly path?: string | undefined;
  readonly query?: string | undefined;
}

/**
 * The value of `Location`. The origin is the target's whatever the request says; its path begins with the target's, and the request's
 * path, without empty and dot segments, follows it. Nothing in it ends the header.
 */
export function locationOf(target: RedirectTarget, { path, query }: PreservedParts): string {
  const wholePath = path === undefined ? target.path : joinedPath(target.path, safePath(path));
  const asked = safeQuery(query ?? '');
  const wholeQuery = target.query === '' || asked === '' ? `${target.query}${asked}` : `${target.query}&${asked}`;
  return `${target.origin}${wholePath}${wholeQuery === '' ? '' : `?${wholeQuery}`}${target.fragment}`;
}

function joinedPath(base: string, path: string): string {
  if (path === '/') return base;
  return base.endsWith('/') ? `${base}${path.slice(1)}` : `${base}${path}`;
}

/** A path as most are: no empty or dot segment, nothing that would have to be escaped. */
const plainPath = /^(?:\/(?!\.|%2e)[\w.~!$&'()*+,;=:@%-]+)+\/?$/i;

function safePath(path: string): string {
  if (path === '/' || plainPath.test(path)) return path;
  // Slash first: without it, `@evil.test` would make a user of the host.
  const url = URL.parse(`${nowhere}/${path.replaceAll('?', '%3F').replaceAll('#', '%23')}`);
  return url === null || url.origin !== nowhere ? '/' : oneSlash(url.pathname);
}

function oneSlash(path: string): string {
  return path.replaceAll(/\/{2,}/g, '/');
}

const plainQuery = /^[\x21\x24-\x3b\x3d\x3f-\x5b\x5d-\x7e]*$/;

/** What is no visible ASCII, or ends a query or an attribute, is escaped; all else stays as the client wrote it. */
function safeQuery(query: string): string {
  if (plainQuery.test(query)) return query;
  return query.replaceAll(/[^\x21\x24-\x3b\x3d\x3f-\x5b\x5d-\x7e]/gu, (character) =>
    Array.from(bytesOf(character), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

/** Up to U+00FF a character is the byte that came; hosts read header bytes so. */
function bytesOf(character: string): Iterable<number> {
  const code = character.charCodeAt(0);
  return code <= 0xff ? [code] : new TextEncoder().encode(character);
}
