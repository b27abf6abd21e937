import { upstreamPath } from '@portcullis/router';

/** Times of routes that have no service to have them from, in milliseconds. Source: wire contract, Gateways, services, routes. */
export const timeoutMsDefault = 60_000;

/**
 * Path and query that go upstream. A path that a plugin set goes as it is; the client's is stripped and joined to the service's.
 * @param view the request as plugins left it
 * @param strippedLength how much of the client's path is cut off
 * @returns `undefined` when what is left of the path must not be sent
 */
export function forwardedPath(
  head: { readonly path: string; readonly query: string },
  view: { readonly path: string; readonly query: string } | undefined,
  servicePath: string,
  strippedLength: number,
): string | undefined {
  const query = view === undefined ? head.query : view.query;
  const isEdited = view !== undefined && view.path !== head.path;
  const path = isEdited ? view.path : upstreamPath(servicePath, head.path, strippedLength);
  return query === '' || path === undefined ? path : `${path}?${query}`;
}

/** The field by which a client is given a cookie to be known again by. */
export function cookieLine({
  name,
  value,
  path,
}: {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}): string {
  return `${name}=${value}; Path=${path}; HttpOnly`;
}
