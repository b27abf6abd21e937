import type { HeaderView, ResponseExchange } from '@portcullis/plugin-runtime';
import type { AskedRequest } from './asked-request.ts';
import { isKeyedByCredentials, varyValue } from './asked-request.ts';
import { cachedAnswer, type CachedAnswer, type VaryField } from './cached-answer.ts';
import { parseDirectives } from './directives.ts';
import { lifetimeOf, type AnswerTimes, type LifetimeRules } from './lifetime.ts';

/** What an instance stores. */
export interface StoringRules extends LifetimeRules {
  readonly statuses: ReadonlySet<number>;
  readonly bodyBytesMax: number;
  /** In lower case. */
  readonly varyHeaders: readonly string[];
  /** In lower case. */
  readonly cacheHeader: string;
}

/** A request whose answer might be stored. */
export interface StoringRequest {
  readonly asked: AskedRequest;
  /** Where it went in place of its service, as far as was known when the cache saw it. */
  readonly destination: string | undefined;
  /** As the cache saw them on their way to the service. */
  readonly headers: HeaderView;
}

/** An answer but for its body. */
export type AnswerHead = Omit<CachedAnswer, 'bytes' | 'notModifiedHeaders' | 'body'>;

/** Most names of headers that an answer may vary by. */
const VARY_NAMES_MAX = 24;

/**
 * What would be stored of an answer to a request that is not `no-store`; `undefined` when it must not be. Source: RFC 9111, sections 3, 3.5 and 4.1; beyond it, nothing that
 * sets a cookie is stored, and nothing for clients with cookies unless the service says how long it is fresh.
 * @param status of the answer, or of the stored one that a 304 confirms
 * @param read headers of the answer, or of the stored one with the news of a 304
 */
export function storable(
  exchange: ResponseExchange,
  request: StoringRequest,
  status: number,
  headers: HeaderView,
  times: AnswerTimes,
  rules: StoringRules,
): AnswerHead | undefined {
  const read = (name: string): string | undefined => headers.get(name);
  const cacheControl = read('cache-control');
  const said = parseDirectives(cacheControl);
  const { asked } = request;
  if (!rules.statuses.has(status) || said.isPrivate) return undefined;
  // A later plugin sent it elsewhere: the next request is looked at before anybody knows where it goes.
  if (exchange.request.destination?.origin !== request.destination) return undefined;
  if (rules.respectsCacheControl && said.noStore) return undefined;
  if (headers.has('set-cookie') || headers.has('content-range') || isStream(read('content-type'))) return undefined;
  if (Number(read('content-length') ?? 0) > rules.bodyBytesMax) return undefined;
  const lifetime = lifetimeOf(read, times, rules);
  const vary = varyOf(exchange, request, headers, rules.varyHeaders);
  if (lifetime === undefined || vary === undefined) return undefined;
  const [etag, lastModified] = [read('etag'), read('last-modified')];
  // What is stale at once is worth its place only when the service can say in a few bytes that it still holds.
  const isStaleAtOnce = lifetime.isAlwaysValidated || lifetime.freshMs <= times.receivedMs - lifetime.bornMs;
  if (isStaleAtOnce && etag === undefined && lastModified === undefined) return undefined;
  const hasIdentity = asked.hasIdentity || exchange.consumer !== undefined;
  if (hasIdentity && !lifetime.isForAll && !isKeyedByCredentials(vary, asked, exchange)) return undefined;
  const isCookieNamed = vary.some(({ name }) => name === 'cookie');
  if (asked.hasCookie && !lifetime.isForAll && !lifetime.isExplicit && !isCookieNamed) return undefined;
  return {
    ...lifetime,
    status,
    headers: storedHeaders(headers, rules.cacheHeader),
    cacheControl,
    vary,
    origin: asked.origin,
    etag,
    lastModified,
  };
}

/** An answer with its body. */
export function withBody(head: AnswerHead, body: Uint8Array): CachedAnswer {
  return cachedAnswer({ ...head, body });
}

/** `undefined`: it varies by what no cache can know. An answer with a coding varies by what the client accepts, also unsaid. */
function varyOf(
  exchange: ResponseExchange,
  { headers: asked }: StoringRequest,
  answer: HeaderView,
  always: readonly string[],
): readonly VaryField[] | undefined {
  const said = (answer.get('vary') ?? '').toLowerCase().split(',');
  const names = new Set([...always, ...said.map((name) => name.trim())].filter((name) => name !== ''));
  if (answer.has('content-encoding')) names.add('accept-encoding');
  if (names.has('*') || names.size > VARY_NAMES_MAX) return undefined;
  return Array.from(names, (name) => ({ name, value: varyValue(asked, exchange.consumer, name) }));
}

function isStream(contentType: string | undefined): boolean {
  return contentType !== undefined && /^\s*text\/event-stream\b/i.test(contentType);
}

/** Source: RFC 9111, section 3.1. What other plugins say of one request is not said of the next. */
function storedHeaders(headers: HeaderView, cacheHeader: string): readonly string[] {
  const named = new Set(
    (headers.get('connection') ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
  const stored: string[] = [];
  headers.forEach((name, value) => {
    const lower = name.toLowerCase();
    if (!NOT_STORED.has(lower) && !OF_ONE_REQUEST.test(lower) && !named.has(lower) && lower !== cacheHeader) {
      stored.push(name, value);
    }
  });
  return Object.freeze(stored);
}

/** Of a connection, of the framing, or said anew with each answer. */
const NOT_STORED: ReadonlySet<string> = new Set([
  'age',
  'cache-control',
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'retry-after',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const OF_ONE_REQUEST = /^(?:(?:x-)?ratelimit(?:-|$)|x-service-protection-|x-(?:request|correlation)-id$|traceparent$)/;
