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
 * A rest that begins with a slash is part of a normalised path. One out of the middle of a segment may begin with what no
 * normalised path has after a slash: a dot segment, or one that upstreams may take for it after an escaped slash or a path
 * parameter.
 */
function isWholePath(rest: string): boolean {
  return rest.charCodeAt(0) !== 0x2e || !climbing.test(rest);
}

const climbing = /^(?:\.{1,2}(?:$|\/|%2F)|\.\.(?:;|%3B))/;
