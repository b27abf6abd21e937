import { UnsupportedRequestError } from '../errors.ts';
import type { Provider } from '../provider.ts';

/**
 * The address of a request.
 * @param path of the vendor, from the base on; its parts are encoded already. The provider's own `path` takes its place.
 * @param query names and values, `undefined` for those that are not there
 */
export function requestUrl(
  provider: Provider,
  path: string,
  ...query: readonly (readonly [string, string] | undefined)[]
): string {
  let url = provider.baseUrl + (provider.path ?? path);
  let separator = '?';
  for (const pair of query) {
    if (pair === undefined) continue;
    url += `${separator}${encoded(pair[0])}=${encoded(pair[1])}`;
    separator = '&';
  }
  return url;
}

/** Whether a provider's base ends with a part of a path, for instance `/v1`. */
export function endsWithPath(provider: Provider, part: string): boolean {
  return provider.baseUrl.endsWith(part);
}

/**
 * A text as one segment of a path.
 * @throws UnsupportedRequestError for one that would be another path: empty, or dots
 */
export function pathSegment(text: string): string {
  if (text === '' || text === '.' || text === '..' || !text.isWellFormed()) {
    throw new UnsupportedRequestError('the name of the model cannot be part of an address');
  }
  return encodeURIComponent(text);
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
