import type { Provider } from '../provider.ts';

/** Of a call, whichever vendor it goes to. */
export interface RequestHead {
  readonly provider: Provider;
  readonly stream: boolean;
  /** Content type of the stream that the vendor answers with. */
  readonly streamType: string;
  /** Name in lower case, and value; see `authorize`. */
  readonly authorization: readonly [string, string] | undefined;
  /** The vendor's own, name and value by turns, names in lower case. */
  readonly own?: readonly string[];
}

/**
 * The headers of a request. Those of the provider's config take the place of the vendor's own and of the authorisation; how the body is
 * written and what may come back is never theirs to say (`providerSchema` refuses them). Streams must come as they are: a compressed one
 * would wait for more before each piece. Source: ai, Streaming.
 */
export function requestHeaders({
  provider,
  stream,
  streamType,
  authorization,
  own = [],
}: RequestHead): readonly string[] {
  const headers = ['content-type', 'application/json', 'accept', stream ? streamType : 'application/json'];
  if (stream) headers.push('accept-encoding', 'identity');
  if (authorization !== undefined && !hasHeader(provider.headers, authorization[0])) headers.push(...authorization);
  for (let at = 0; at < own.length; at += 2) {
    const [name, value] = [own[at], own[at + 1]];
    if (name !== undefined && value !== undefined && !hasHeader(provider.headers, name)) headers.push(name, value);
  }
  if (provider.headers.length > 0) headers.push(...provider.headers);
  return headers;
}

function hasHeader(headers: readonly string[], name: string): boolean {
  for (let at = 0; at < headers.length; at += 2) if (headers[at]?.toLowerCase() === name) return true;
  return false;
}
