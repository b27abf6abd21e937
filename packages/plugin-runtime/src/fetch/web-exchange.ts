import type { Chain, StageResult } from '../chain.ts';
import { ExchangeState, type ExchangeParts } from '../exchange-state.ts';
import { endFailures } from '../exchange-end.ts';
import type { ExchangeFailure, ExchangeFigures, RequestFacts } from '../exchange.ts';
import type { RuntimeLease } from '../live-runtime.ts';
import type { ResponseState } from '../response-state.ts';
import { describeError } from '../running-instance.ts';
import { BodyKeeper } from './body-keeper.ts';
import { isIdentityField } from './consumer-headers.ts';
import { forwardedRequest } from './forwarded-request.ts';
import type { CompiledHost } from './host-options.ts';
import type { Peer } from './peer-options.ts';
import { problemResponse } from './problem-response.ts';
import { respondWeb } from './respond-web.ts';
import { toWebResponse, webResponseParts } from './web-response.ts';

/** What stands behind the plugins gave this answer; `failed` when it is how the failure of a handler is told. */
export interface UpstreamAnswer {
  readonly response: Response;
  readonly failed?: boolean;
}

/** What an exchange needs of its host. */
export type WebHost = Pick<CompiledHost, 'log' | 'monotonicMs' | 'consumers'>;

/** How far a request got. `told`: the upstream failed, and its answer says so to the client. */
type Reached = StageResult | 'told';

/** One web request on its way through a chain. */
export class WebExchange {
  readonly exchange: ExchangeState;
  readonly #lease: RuntimeLease<Chain>;
  readonly #request: Request;
  readonly #body: BodyKeeper;
  readonly #host: WebHost;
  readonly #startedMs: number;
  #upstreamLatencyMs: number | undefined;
  #isAnswered = false;
  #isOver = false;
  readonly #onAbort = (): void => {
    this.exchange.abort();
    this.#tellEnd(endFailures.clientLeft);
    if (this.#isAnswered) this.#letGo();
  };

  /** @param lease released when no hook will run any more */
  constructor(
    host: WebHost,
    lease: RuntimeLease<Chain>,
    request: Request,
    facts: RequestFacts,
    peer: Peer,
    body: ReadableStream<Uint8Array> | null = request.body,
  ) {
    this.#lease = lease;
    this.#request = request;
    this.#host = host;
    this.#startedMs = host.monotonicMs();
    this.#body = new BodyKeeper(body);
    this.exchange = new ExchangeState({
      ...partsOf(request, facts, body === null ? undefined : this.#body, peer),
      ...(host.consumers === undefined ? {} : { consumers: host.consumers }),
      startedMs: this.#startedMs,
    });
  }

  get #chain(): Chain {
    return this.#lease.served;
  }

  /** Runs the chain around an upstream. Never rejects for what plugins or the upstream do. */
  async run(upstream: (request: Request) => Promise<UpstreamAnswer>): Promise<Response> {
    const { signal } = this.#request;
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener('abort', this.#onAbort, { once: true });
    try {
      return await this.#answer(upstream);
    } catch (error) {
      this.#tellEnd(INTERNAL);
      this.#letGo();
      throw error;
    }
  }

  async #answer(upstream: (request: Request) => Promise<UpstreamAnswer>): Promise<Response> {
    const { exchange } = this;
    const requested = await this.#chain.runRequest(exchange);
    const reached = requested === 'continue' ? await this.#callBehind(upstream) : requested;
    const fromUpstream = exchange.hasResponse ? exchange.response.hostBody : undefined;
    const answered = reached === 'failed' ? reached : await this.#runOutward(reached);
    if (answered === 'failed') await this.#answerFailure();
    discardUnused(fromUpstream, exchange.response);
    this.#isAnswered = true;
    return toWebResponse(this.#chain, exchange, (isComplete, responseBytes) => {
      const failure = exchange.aborted ? endFailures.clientLeft : ANSWER_BROKEN;
      this.#tellEnd(isComplete ? undefined : failure, responseBytes);
      this.#letGo();
    });
  }

  /** Tells the plugins that the request is over, in whatever state its answer is. The first word counts. */
  #tellEnd(failure: ExchangeFailure | undefined, responseBytes?: number): void {
    const { exchange } = this;
    const status = this.#isAnswered ? exchange.response.status : undefined;
    const end = { status, isComplete: failure === undefined, ...(failure && { failure }) };
    if (!exchange.isEndAwaited) {
      exchange.end(end);
      return;
    }
    exchange.end({ ...end, figures: this.#figures(responseBytes) }, (error) => {
      const details = { request_id: exchange.facts.requestId, error: describeError(error) };
      this.#host.log.error('a plugin failed when its request was over', details);
    });
  }

  /** The bytes of a request that has a body are not counted: it streams past. */
  #figures(responseBytes: number | undefined): ExchangeFigures {
    return {
      latencyMs: this.#host.monotonicMs() - this.#startedMs,
      upstreamLatencyMs: this.#upstreamLatencyMs,
      requestBytes: this.#body.isAbsent ? 0 : undefined,
      responseBytes,
    };
  }

  /** No hook will run any more. */
  #letGo(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#request.signal.removeEventListener('abort', this.#onAbort);
    this.#lease.release();
  }

  /** The stage of responses, or of errors when the upstream's answer tells of a failure. */
  #runOutward(reached: Reached): StageResult | Promise<StageResult> {
    const { exchange } = this;
    return reached === 'told' ? this.#chain.runError(exchange) : this.#chain.runResponse(exchange);
  }

  /** What stands behind the plugins: one of theirs, or the upstream. */
  async #callBehind(upstream: (request: Request) => Promise<UpstreamAnswer>): Promise<Reached> {
    const { responder } = this.exchange.request;
    if (responder === undefined) return await this.#callUpstream(upstream);
    return (await respondWeb(this.exchange, responder)) ? 'continue' : 'failed';
  }

  /** Sends the request as the plugins left it and takes the answer into the exchange. */
  async #callUpstream(upstream: (request: Request) => Promise<UpstreamAnswer>): Promise<Reached> {
    const { exchange } = this;
    const sentMs = this.#host.monotonicMs();
    try {
      const { response, failed } = await upstream(forwardedRequest(exchange, this.#request, this.#body));
      const parts = webResponseParts(response);
      this.#upstreamLatencyMs = this.#host.monotonicMs() - sentMs;
      if (failed === true) {
        exchange.fail(UPSTREAM_FAILED, parts);
        return 'told';
      }
      exchange.setResponse({ ...parts, source: 'upstream' });
      return 'continue';
    } catch (error) {
      const details = { request_id: exchange.facts.requestId, error: describeError(error) };
      // A client that left is no failure of the upstream's.
      if (!exchange.aborted) this.#host.log.error('the upstream behind the plugins failed', details);
      exchange.noteFailure(UPSTREAM_FAILED);
      return 'failed';
    }
  }

  /** Tells the client of a failure, through the error stage. */
  async #answerFailure(): Promise<void> {
    const { exchange } = this;
    const { failure } = exchange;
    exchange.fail(failure, problemResponse(failure, exchange.facts.requestId));
    await this.#chain.runError(exchange);
  }
}

/** Lets go of a body that a plugin replaced: its sender would wait for ever. */
function discardUnused(hostBody: unknown, response: ResponseState): void {
  const isUsed = response.hostBody === hostBody && response.body === undefined;
  if (!isUsed && hostBody instanceof BodyKeeper) void hostBody.discard();
}

function partsOf(request: Request, facts: RequestFacts, body: BodyKeeper | undefined, peer: Peer): ExchangeParts {
  const url = new URL(request.url);
  return {
    facts,
    request: {
      method: request.method,
      scheme: url.protocol === 'https:' ? 'https' : 'http',
      host: url.hostname,
      authority: url.host,
      path: url.pathname,
      query: url.search.slice(1),
      headers: clientHeaders(request.headers),
      ...peer,
      peerClaims: () => claimFields(request.headers),
      ...(body === undefined ? {} : { readBody: body.read }),
    },
  };
}

/** What was sent of who the client is. */
function claimFields(headers: Headers): readonly string[] {
  const pairs: string[] = [];
  headers.forEach((value, name) => {
    if (isIdentityField(name)) pairs.push(name, value);
  });
  return pairs;
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
const ANSWER_BROKEN: ExchangeFailure = { code: 'upstream_failed', message: 'the answer broke off' };
const INTERNAL: ExchangeFailure = { code: 'internal', message: 'the gateway failed' };
