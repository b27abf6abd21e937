import { systemId } from '../adapters/system-services.ts';
import { createRuntime } from '../build-runtime.ts';
import type { Chain, StageResult } from '../chain.ts';
import { ExchangeState } from '../exchange-state.ts';
import type { ExchangeFailure, NamedRecord, RequestFacts } from '../exchange.ts';
import type { ResponseState } from '../response-state.ts';
import type { RuntimeOptions } from '../runtime-options.ts';
import type { ConsumerDirectory } from '../services.ts';
import { BodyKeeper } from './body-keeper.ts';
import { isIdentityField, setConsumer } from './consumer-headers.ts';
import { problemResponse } from './problem-response.ts';
import { adoptWebResponse, asBodyInit, toWebResponse, webResponseParts } from './web-response.ts';

/** What {@link createFetchHandler} takes: the runtime's options and what the requests belong to. */
export interface FetchHandlerOptions extends Omit<RuntimeOptions, 'adoptResponse' | 'previous'> {
  /** Answers the requests that no plugin stops: an application, or `fetch` itself. */
  readonly upstream: (request: Request) => Response | Promise<Response>;
  /** What instances with selectors match. Default: a gateway called `fetch`. */
  readonly gateway?: NamedRecord;
  readonly workspaceId?: string;
  readonly service?: NamedRecord;
  readonly route?: NamedRecord;
  readonly consumers?: ConsumerDirectory;
  /** The address of whoever sent a request. The web's request does not know it. Default: none, the empty text. */
  readonly clientIp?: (request: Request) => string;
}

/** Handles a web request. Never rejects for what plugins or the upstream do: the answer is a problem then. */
export type FetchHandler = (request: Request) => Promise<Response>;

/**
 * Puts a chain of plugins around a function from `Request` to `Response`. Hooks may return a web `Response`.
 * Bodies stream unless a plugin reads them. The upstream is told of the consumer as the gateway tells it, in `X-Consumer-ID`
 * and its like; a client's own such fields are removed.
 * @throws PluginConfigurationError listing every instance and inline entry that cannot be loaded
 */
export function createFetchHandler(options: FetchHandlerOptions): FetchHandler {
  const { upstream, consumers, workspaceId, service, route, tenantId } = options;
  const { gateway = DEFAULT_GATEWAY, newId = systemId, clientIp = () => '' } = options;
  const target = {
    gateway,
    ...(workspaceId === undefined ? {} : { workspaceId }),
    ...(service === undefined ? {} : { service }),
    ...(route === undefined ? {} : { route }),
  };
  const chain = createRuntime({ ...options, adoptResponse: adoptWebResponse }).chainFor(target);
  return (request) => {
    const facts: RequestFacts = { requestId: newId(), tenantId: tenantId ?? '', ...target };
    const body = new BodyKeeper(request.body);
    const exchange = exchangeOf(request, facts, body, clientIp(request), consumers);
    return handle(chain, exchange, request, body, upstream);
  };
}

const DEFAULT_GATEWAY: NamedRecord = { id: 'fetch', name: 'fetch' };

async function handle(
  chain: Chain,
  exchange: ExchangeState,
  request: Request,
  body: BodyKeeper,
  upstream: FetchHandlerOptions['upstream'],
): Promise<Response> {
  const onAbort = (): void => exchange.abort();
  request.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const requested = await chain.runRequest(exchange);
    const reached = requested === 'continue' ? await callUpstream(exchange, request, body, upstream) : requested;
    const fromUpstream = exchange.hasResponse ? exchange.response.hostBody : undefined;
    const answered = reached === 'failed' ? reached : await chain.runResponse(exchange);
    if (answered === 'failed') await answerFailure(chain, exchange);
    discardUnused(fromUpstream, exchange.response);
    return toWebResponse(exchange.response);
  } finally {
    request.signal.removeEventListener('abort', onAbort);
  }
}

/** Sends the request as the plugins left it and takes the answer into the exchange. */
async function callUpstream(
  exchange: ExchangeState,
  request: Request,
  body: BodyKeeper,
  upstream: FetchHandlerOptions['upstream'],
): Promise<StageResult> {
  try {
    const response = await upstream(forwarded(exchange, request, body));
    exchange.setResponse({ ...webResponseParts(response), source: 'upstream' });
    return 'continue';
  } catch {
    exchange.noteFailure(UPSTREAM_FAILED);
    return 'failed';
  }
}

function forwarded(exchange: ExchangeState, request: Request, body: BodyKeeper): Request {
  const { method, url, headers } = exchange.request;
  const pairs = new Headers();
  headers.forEach((name, value) => pairs.append(name, value));
  if (exchange.consumer !== undefined) setConsumer(pairs, exchange.consumer);
  const payload = asBodyInit(exchange.request.body) ?? body.toBody();
  const hasBody = payload !== null && method !== 'GET' && method !== 'HEAD';
  const init: RequestInit = { method, headers: pairs, signal: request.signal, redirect: request.redirect };
  return new Request(url, hasBody ? { ...init, body: payload, duplex: 'half' } : init);
}

/** Lets go of a body that a plugin replaced: its sender would wait for ever. */
function discardUnused(hostBody: unknown, response: ResponseState): void {
  const isUsed = response.hostBody === hostBody && response.body === undefined;
  if (!isUsed && hostBody instanceof BodyKeeper) void hostBody.discard();
}

/** Tells the client of a failure, through the error stage. */
async function answerFailure(chain: Chain, exchange: ExchangeState): Promise<void> {
  const { failure } = exchange;
  exchange.fail(failure, problemResponse(failure, exchange.facts.requestId));
  await chain.runError(exchange);
}

function exchangeOf(
  request: Request,
  facts: RequestFacts,
  body: BodyKeeper,
  clientIp: string,
  consumers: ConsumerDirectory | undefined,
): ExchangeState {
  const url = new URL(request.url);
  return new ExchangeState({
    facts,
    request: {
      method: request.method,
      scheme: url.protocol === 'https:' ? 'https' : 'http',
      host: url.hostname,
      authority: url.host,
      path: url.pathname,
      query: url.search.slice(1),
      headers: clientHeaders(request.headers),
      clientIp,
      readBody: body.read,
    },
    ...(consumers === undefined ? {} : { consumers }),
  });
}

/** What the client sent, but for the fields that say who a client is. */
function clientHeaders(headers: Headers): string[] {
  const pairs: string[] = [];
  headers.forEach((value, name) => {
    if (!isIdentityField(name)) pairs.push(name, value);
  });
  return pairs;
}

const UPSTREAM_FAILED: ExchangeFailure = { code: 'upstream_failed', message: 'the upstream gave no answer' };
