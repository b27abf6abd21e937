import { HeaderList, type ChainPlace, type Exchange, type HeaderView } from '@portcullis/plugin-runtime';
import type { CachedAnswer, VaryField } from './cached-answer.ts';
import { NO_DIRECTIVES, parseDirectives, type Directives } from './directives.ts';
import { posedFields } from './posed-fields.ts';

/** What a request says to the cache. */
export interface AskedRequest {
  /** Tenant, gateway and address. */
  readonly key: string;
  /** The route and service, where the request goes in place of that, and what it claims about its address. */
  readonly origin: string;
  readonly directives: Directives;
  readonly isHead: boolean;
  /** Whether it carries credentials, a consumer was identified, or authentication let it through. */
  readonly hasIdentity: boolean;
  /** Whether authentication plugins let it through: what its credentials are, and where, is not known then. */
  readonly isAuthenticated: boolean;
  readonly hasCookie: boolean;
}

/** How requests of an instance are read. */
export interface AskingRules {
  readonly includeQuery: boolean;
  readonly respectsCacheControl: boolean;
}

/** Reads a request. */
export function readAsked(exchange: Exchange, place: ChainPlace, rules: AskingRules): AskedRequest {
  const { request, facts, consumer } = exchange;
  const { headers } = request;
  return {
    key: storeKey(exchange, rules.includeQuery),
    origin: `${facts.route?.id ?? ''}\n${facts.service?.id ?? ''}\n${request.destination?.origin ?? ''}${posedFields(headers)}`,
    directives: rules.respectsCacheControl ? requestDirectives(headers) : NO_DIRECTIVES,
    isHead: request.method === 'HEAD',
    hasIdentity: consumer !== undefined || place.isBehindAuthentication || headers.has('authorization'),
    isAuthenticated: place.isBehindAuthentication,
    hasCookie: headers.has('cookie'),
  };
}

/** The key of the address that a request asks for. The port and the scheme are part of it: services build links of them. */
export function storeKey({ facts, request }: Exchange, includeQuery: boolean): string {
  const { url, query } = request;
  const address = includeQuery || query === '' ? url : url.slice(0, -query.length - 1);
  return `${facts.tenantId}\n${facts.gateway.id}\n${address}`;
}

/** Pragma counts where there is no Cache-Control. Source: RFC 9111, section 5.4. */
function requestDirectives(headers: HeaderView): Directives {
  const text = headers.get('cache-control');
  if (text !== undefined) return parseDirectives(text);
  const pragma = headers.get('pragma');
  return pragma === undefined ? NO_DIRECTIVES : { ...NO_DIRECTIVES, noCache: /\bno-cache\b/i.test(pragma) };
}

/** Requests that neither use nor fill the store: they want a part, have conditions of their own or bring a body. */
export function isBypassing({ request }: Exchange): boolean {
  return request.hasBody || BYPASSING.some((name) => request.headers.has(name));
}

/** The last five make some services take a request for another one. */
const BYPASSING: readonly string[] = [
  'range',
  'if-range',
  'if-match',
  'if-unmodified-since',
  'upgrade',
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'x-original-url',
  'x-rewrite-url',
];

/** The headers of a request as they are now: later plugins change what the exchange shows. */
export function keptHeaders(headers: HeaderView): HeaderList {
  const pairs: string[] = [];
  headers.forEach((name, value) => pairs.push(name, value));
  return new HeaderList(pairs);
}

/**
 * What a request says where an answer varies. Headers that the gateway itself sends for a consumer stand for who the consumer is.
 * @param name in lower case
 */
export function varyValue(headers: HeaderView, consumer: Exchange['consumer'], name: string): string | undefined {
  if (!name.startsWith('x-c')) return normal(headers.get(name));
  if (!GATEWAYS_OWN.test(name) || consumer === undefined) return normal(headers.get(name));
  return JSON.stringify([consumer.id, consumer.username, consumer.groups, consumer.credentialId]);
}

const GATEWAYS_OWN = /^x-c(?:onsumer-|redential-identifier$)/;

/** Spaces around commas tell nothing apart. Source: RFC 9111, section 4.1. */
function normal(value: string | undefined): string | undefined {
  return value?.includes(',') === true
    ? value
        .split(',')
        .map((part) => part.trim())
        .join(',')
    : value;
}

/** Whether the answer was made for requests like this one. Source: RFC 9111, section 4.1. */
export function fitsRequest(answer: CachedAnswer, asked: AskedRequest, exchange: Exchange): boolean {
  if (answer.origin !== asked.origin) return false;
  const { vary } = answer;
  if (asked.hasIdentity && !answer.isForAll && !isKeyedByCredentials(vary, asked, exchange)) return false;
  if (asked.hasCookie && !answer.isForAll && !answer.isExplicit && !vary.some(({ name }) => name === 'cookie'))
    return false;
  return vary.every(({ name, value }) => varyValue(exchange.request.headers, exchange.consumer, name) === value);
}

/**
 * Whether the credentials are a part of what tells answers apart. Those of a consumer never are: others may present the same. Nor are
 * those that a plugin took: they need not stand in `Authorization`.
 */
export function isKeyedByCredentials(
  vary: readonly VaryField[],
  { isAuthenticated }: AskedRequest,
  { consumer }: Exchange,
): boolean {
  return consumer === undefined && !isAuthenticated && vary.some(({ name }) => name === 'authorization');
}
