import type { IncomingMessage } from 'node:http';
import { ExchangeState } from '../exchange-state.ts';
import type { RequestFacts } from '../exchange.ts';
import { consumerFields, isIdentityField } from '../fetch/consumer-headers.ts';
import type { ConsumerDirectory } from '../services.ts';
import type { ClientAddresses } from './client-address.ts';
import type { IncomingBody } from './incoming-body.ts';
import { joinedHeaders } from './joined-headers.ts';
import { isPeerVerified, peerCertificatesOf } from './peer-certificates.ts';

/** A Node request as plugins see it. What the client says of who it is, is not part of it. */
export function exchangeOfRequest(
  request: IncomingMessage,
  facts: RequestFacts,
  body: IncomingBody,
  addresses: ClientAddresses,
  consumers: ConsumerDirectory | undefined,
  startedMs: number,
): ExchangeState {
  const { path, query } = targetOf(request);
  const authority = request.headers.host ?? '';
  return new ExchangeState({
    facts,
    request: {
      method: request.method ?? 'GET',
      scheme: addresses.schemeOf(request),
      host: authority.replace(/:\d*$/, '').toLowerCase(),
      authority,
      path,
      query,
      headers: clientFields(request.rawHeaders),
      clientIp: addresses.ipOf(request),
      isFromTrustedPeer: addresses.isFromTrustedPeer(request),
      peerCertificates: () => peerCertificatesOf(request),
      isPeerVerified: isPeerVerified(request),
      peerClaims: () => claimFields(request.rawHeaders),
      ...(hasBody(request) ? { readBody: body.read } : {}),
    },
    ...(consumers === undefined ? {} : { consumers }),
    startedMs,
  });
}

/**
 * Makes a request what the plugins left of it: fields, URL and body, and the fields that say who the client is.
 * A promise only when a body has to be put in the place of one that is still arriving.
 */
export function applyToRequest(
  request: IncomingMessage,
  { request: left, consumer }: ExchangeState,
  body: IncomingBody,
): void | Promise<void> {
  const { path, query } = targetOf(request);
  if (path !== left.path || query !== left.query)
    request.url = left.query === '' ? left.path : `${left.path}?${left.query}`;
  const fields = left.headers.toPairs();
  const pairs = consumer === undefined ? fields : withConsumer(fields, consumerFields(consumer));
  if (!isSameList(request.rawHeaders, pairs)) setFields(request, [...pairs]);
  if (left.body !== undefined) return body.replace(left.body);
  body.restore();
}

/** Bytes that the body says it has; `undefined` of one that does not say it. Ask before plugins change the fields. */
export function statedBytesOf(request: IncomingMessage): number | undefined {
  if (!hasBody(request)) return 0;
  const length = Number(request.headers['content-length']);
  return Number.isSafeInteger(length) ? length : undefined;
}

/** Source: RFC 9112, section 6.3. */
function hasBody({ headers, httpVersionMajor }: IncomingMessage): boolean {
  const length = headers['content-length'];
  // In HTTP/2 a body needs no field that tells of it.
  return headers['transfer-encoding'] !== undefined || (length === undefined ? httpVersionMajor > 1 : length !== '0');
}

/** Path and query as the request line gives them, also of one that names its host (`GET http://host/path`). */
function targetOf({ url = '/' }: IncomingMessage): { readonly path: string; readonly query: string } {
  const start = url.startsWith('/') ? 0 : Math.max(url.indexOf('/', url.indexOf('://') + 3), 0);
  const mark = url.indexOf('?', start);
  const path = mark < 0 ? url.slice(start) : url.slice(start, mark);
  return { path: path.startsWith('/') ? path : '/', query: mark < 0 ? '' : url.slice(mark + 1) };
}

function claimFields(rawHeaders: readonly string[]): readonly string[] {
  return rawHeaders.filter((_part, at) => isIdentityField((rawHeaders[at - (at % 2)] ?? '').toLowerCase()));
}

function clientFields(rawHeaders: readonly string[]): string[] {
  const pairs: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (!isIdentityField(name.toLowerCase())) pairs.push(name, rawHeaders[index + 1] as string);
  }
  return pairs;
}

/** A plugin's own fields of these names give way: there is one identity. */
function withConsumer(pairs: readonly string[], identity: readonly string[]): readonly string[] {
  return [...clientFields(pairs), ...identity];
}

function setFields(request: IncomingMessage, pairs: string[]): void {
  const { headers, headersDistinct } = joinedHeaders(pairs);
  request.rawHeaders = pairs;
  request.headers = headers;
  request.headersDistinct = headersDistinct;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
