import { normalisePath } from '@portcullis/resources';

/**
 * The path that goes upstream: the service's path and what remains of the request's after the stripped part, with one
 * slash at the joint. Source: wire contract, Value forms, Routes.
 * @param servicePath of the service's address; `/` or empty adds nothing
 * @param path the normalised path of the request
 * @param strippedLength how many of its characters are cut off
 * @returns `undefined` when the cut makes a dot segment or the like of the rest: it could leave the service's path
 */
export function upstreamPath(servicePath: string, path: string, strippedLength: number): string | undefined {
  const rest = strippedLength === 0 ? path : path.slice(strippedLength);
  if (!isWholePath(rest)) return undefined;
  if (servicePath === '/' || servicePath === '') return rest.startsWith('/') ? rest : `/${rest}`;
  if (rest === '') return servicePath;
  const base = servicePath.endsWith('/') ? servicePath.slice(0, -1) : servicePath;
  return rest.startsWith('/') ? `${base}${rest}` : `${base}/${rest}`;
}

/**
 * A rest that begins with a slash is part of a normalised path. One out of the middle of a segment may be anything; dots
 * before an escaped slash are refused too, since upstreams that decode it would climb with them.
 */
function isWholePath(rest: string): boolean {
  if (rest === '' || rest.startsWith('/')) return true;
  return !dotsBeforeEscapedSlash.test(rest) && normalisePath(`/${rest}`) === `/${rest}`;
}

const dotsBeforeEscapedSlash = /^\.{1,2}%2F/;
