import { AdminTransportError } from './transport-error.ts';

/**
 * The URL that a text without a query is, letter by letter. `..` and `.` lead to another record or to the collection, `?`
 * and `#` end a path: what a caller took for an ID must never address anything else. Source: WHATWG URL.
 * @throws AdminTransportError `invalid_path` when it would be read as another one
 */
export function plainUrl(text: string): URL {
  const url = URL.parse(text);
  if (url && `${url.origin}${url.pathname}` === text) return url;
  throw new AdminTransportError('invalid_path', `${JSON.stringify(text)} is not the address that would be asked`);
}
