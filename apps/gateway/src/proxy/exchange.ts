import { ExchangeState, type Chain, type StageResult } from '@portcullis/plugin-runtime';
import type { CompiledRoute, Generation } from '../configuration/generation.ts';
import type { StatusSource } from '../observations/route-metrics.ts';
import type { CallObserver, ServerCall } from '../transport/server-transport.ts';
import { exchangeParts } from './exchange-parts.ts';
import { HeldBody } from './held-body.ts';
import { httpsRequired, problemOfFailure, problems, renderProblem, type GatewayProblem } from './problems.ts';
import type { ProxyPorts } from './proxy-ports.ts';
import { readHead, type RequestHead } from './request-head.ts';
import { withoutFraming } from './response-head.ts';
import { UpstreamExchange } from './upstream-exchange.ts';

/** Status that is recorded when the client left before there was an answer. It is never sent. */
const clientLeftStatus = 499;

/** One request from its arrival to its observation. */
export class Exchange implements CallObserver {
  readonly ports: ProxyPorts;
  readonly call: ServerCall;
  readonly #startedMs: number;
  readonly #occurredAtMs: number;
  #requestId: string | undefined;
  /** Body bytes that were sent to the client. */
  responseBytes = 0;
  #generation: Generation | undefined;
  #head: RequestHead | undefined;
  #route: CompiledRoute | undefined;
  #matchedLength = 0;
  #state: ExchangeState | undefined;
  /** The request's body as plugins may read it. */
  #held: HeldBody | undefined;
  #upstream: UpstreamExchange | undefined;
  #status = 0;
  #source: StatusSource = 'gateway';
  /** Whether the connection ends with the answer. */
  #closes = false;
  #over = false;

  constructor(ports: ProxyPorts, call: ServerCall) {
    this.ports = ports;
    this.call = call;
    this.#startedMs = ports.monotonicMs();
    this.#occurredAtMs = ports.nowMs();
  }

  /** Names the request in records, problems and logs; made when somebody asks. */
  get requestId(): string {
    return (this.#requestId ??= this.ports.newId());
  }

  /** Whether the answer is out or the client is gone. */
  get over(): boolean {
    return this.#over;
  }

  /** What plugins see; `undefined` on routes without plugins. */
  get state(): ExchangeState | undefined {
    return this.#state;
  }

  start(): void {
    this.call.observe(this);
    try {
      this.#begin();
    } catch (error) {
      this.crash(error);
    }
  }

  onDrain(): void {
    this.#upstream?.onDrain();
  }

  onAborted(): void {
    if (this.#over) return;
    if (this.#status === 0) this.#status = clientLeftStatus;
    this.finish();
    this.#state?.abort();
    this.#upstream?.abort();
  }

  /** Answers with a problem of the gateway, after the route's error hooks. */
  fail(problem: GatewayProblem): void {
    if (this.#over) return;
    this.#closes = problem.close === true;
    const chain = this.#route === undefined ? this.#generation?.fallbackChain : this.#route.chain;
    const { headers, body } = renderProblem(problem, this.requestId);
    if (chain === undefined || !(chain.hasErrorHooks || this.#state !== undefined)) {
      this.#respond(problem.status, 'gateway', headers, body);
      return;
    }
    const state = this.#stateOf();
    const failure = { code: problem.code, message: problem.detail };
    state.fail(failure, { status: problem.status, headers, body: Buffer.from(body, 'utf8') });
    const result = chain.hasErrorHooks ? chain.runError(state) : 'continue';
    if (typeof result === 'string') this.sendWhole();
    else result.then(() => this.sendWhole()).catch((error: unknown) => this.crash(error));
  }

  /** An error of ours: it must not take the process or the connection's neighbours along. */
  crash(error: unknown): void {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
    this.ports.log.error('a request failed inside the gateway', { request_id: this.requestId, error: text });
    if (this.#over) return;
    this.#upstream?.abort();
    if (this.call.begun) {
      this.call.abort();
      this.finish();
      return;
    }
    const { headers, body } = renderProblem(problems.internal, this.requestId);
    this.#respond(problems.internal.status, 'gateway', headers, body);
  }

  /** Runs the response hooks over the state's response, then sends it. */
  runResponse(chain: Chain): void {
    if (this.#state === undefined || !chain.hasResponseHooks) {
      this.#afterResponse('continue');
      return;
    }
    const result = chain.runResponse(this.#state);
    if (typeof result === 'string') {
      this.#afterResponse(result);
      return;
    }
    this.#upstream?.hold();
    result.then((late) => this.#afterResponse(late)).catch((error: unknown) => this.crash(error));
  }

  /** The answer's head is about to be sent. */
  begin(status: number, source: StatusSource, headers: readonly string[]): void {
    this.#status = status;
    this.#source = source;
    this.call.begin(status, headers);
  }

  /** Sends what the state says as a whole: a plugin's or the gateway's answer. */
  sendWhole(): void {
    const { status, source, headers, body } = this.stateResponse();
    this.#respond(status, source, withoutFraming(headers.toPairs()), body);
  }

  /** The state's response. @throws Error when there is no state */
  stateResponse(): ExchangeState['response'] {
    if (this.#state === undefined) throw new Error('the exchange has no state');
    return this.#state.response;
  }

  /** The request is over: it is observed once, and its configuration let go. */
  finish(): void {
    if (this.#over) return;
    this.#over = true;
    const latencyUs = Math.round((this.ports.monotonicMs() - this.#startedMs) * 1000);
    const route = this.#route;
    const figures = {
      occurredAtMs: this.#occurredAtMs,
      routeId: route?.id ?? '',
      serviceId: route?.service?.record.id ?? '',
      method: this.call.method,
      status: this.#status,
      statusSource: this.#source,
      latencyUs,
      upstreamLatencyUs: this.#upstream?.latencyUs,
      requestBytes: this.call.bodyBytes,
      responseBytes: this.responseBytes,
    };
    if (this.ports.observer.count(figures, route?.series ?? this.ports.metrics.unmatched)) {
      this.ports.observer.keep({
        figures,
        requestId: this.requestId,
        consumerId: this.#state?.consumer?.id,
        path: this.#head?.path ?? '',
        clientIp: this.#head?.clientIp ?? this.call.peerAddress,
        plugins: this.#state?.steps ?? [],
      });
    }
    this.#generation?.release();
  }

  #begin(): void {
    const generation = this.ports.live.current;
    if (generation === undefined) {
      this.fail(problems.noConfiguration);
      return;
    }
    generation.hold();
    this.#generation = generation;
    const head = readHead(this.call, this.ports.trusted);
    if ('status' in head) {
      this.fail(head);
      return;
    }
    this.#head = head;
    if (!generation.allowsEncodedSlashes && head.path.includes('%2F')) {
      this.fail(problems.encodedSlash);
      return;
    }
    const plainStatus = this.#match(generation, head) ? this.#route?.plainStatus : undefined;
    if (this.#route === undefined) this.fail(problems.noRoute);
    else if (plainStatus !== undefined && !head.encrypted) this.fail(httpsRequired(plainStatus, head));
    else if (head.upgrade) this.fail(problems.upgrade);
    else this.#runRequest();
  }

  #match(generation: Generation, head: RequestHead): boolean {
    if (generation.hosts !== undefined && !generation.hosts.has(head.host)) return false;
    const { host, path, query, pairs } = head;
    // Conditions see what the upstream would see: a client's claims and look-alike names meet none.
    const match = generation.router.match({ method: this.call.method, host, path, query, headers: pairs });
    if (match === undefined) return false;
    this.#route = match.route;
    this.#matchedLength = match.matchedLength;
    return true;
  }

  #runRequest(): void {
    const chain = this.#route?.chain;
    if (chain === undefined) {
      this.#forward();
      return;
    }
    const state = this.#stateOf();
    const result = chain.hasRequestHooks ? chain.runRequest(state) : 'continue';
    if (typeof result === 'string') this.#afterRequest(chain, result);
    else result.then((late) => this.#afterRequest(chain, late)).catch((error: unknown) => this.crash(error));
  }

  #afterRequest(chain: Chain, result: StageResult): void {
    if (this.#over) return;
    if (result === 'continue') this.#forward();
    else if (result === 'failed') this.fail(problems.pluginFailed);
    else this.runResponse(chain);
  }

  #afterResponse(result: StageResult): void {
    if (this.#over) return;
    if (result === 'failed') {
      this.#upstream?.abort();
      // A plugin that was reading the answer when the upstream broke it off is not to blame.
      const failure = this.#upstream?.failure;
      this.fail(failure === undefined ? problems.pluginFailed : problemOfFailure(failure));
    } else if (this.#upstream === undefined) this.sendWhole();
    else this.#upstream.sendAnswer();
  }

  #forward(): void {
    const { service, balancer } = this.#route ?? {};
    if (this.#route === undefined || this.#head === undefined || this.#over) return;
    if (service === undefined || balancer === undefined) {
      this.fail(problems.noService);
      return;
    }
    this.#upstream = new UpstreamExchange(this, this.#route, service, balancer, this.#head, this.#held);
    this.#upstream.start(this.#route.stripPath ? this.#matchedLength : 0);
  }

  #stateOf(): ExchangeState {
    if (this.#state !== undefined) return this.#state;
    if (this.call.body !== undefined) this.#held = new HeldBody(this.call.body);
    const parts = exchangeParts(
      this,
      this.call,
      this.#generation,
      this.#route,
      this.#head,
      this.#held,
      this.ports.observer.keepsRecords,
    );
    this.#state = new ExchangeState(parts);
    return this.#state;
  }

  #respond(
    status: number,
    source: StatusSource,
    headers: readonly string[],
    body: string | Uint8Array | undefined,
  ): void {
    if (this.#over) return;
    this.#status = status;
    this.#source = source;
    this.responseBytes += body === undefined ? 0 : Buffer.byteLength(body);
    this.call.respond(status, headers, body, this.#closes);
    this.finish();
  }
}
