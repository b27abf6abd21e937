import type { RequestView } from '@portcullis/plugin-runtime';

/** Host and port as the client gave them, in lower case, without the port that the scheme has anyway. Source: RFC 9421, section 2.2.3. */
export function authorityOf({ url, scheme }: RequestView): string {
  const begin = scheme.length + '://'.length;
  const authority = url.slice(begin, url.indexOf('/', begin)).toLowerCase();
  const usual = scheme === 'https' ? ':443' : ':80';
  return authority.endsWith(usual) ? authority.slice(0, -usual.length) : authority;
}

/** Path and query: the target of the request line, with the path in the one form that the gateway matched and forwards. */
export function targetOf({ path, query }: RequestView): string {
  return query === '' ? path : `${path}?${query}`;
}

/** The value of a header as it is signed: lines joined with a comma. Source: RFC 9421, section 2.1. */
export function headerOf(request: RequestView, name: string): string | undefined {
  const value = request.headers.get(name);
  // HTTP/2 has no such line.
  return name === 'host' && value === undefined ? authorityOf(request) : value?.trim();
}
