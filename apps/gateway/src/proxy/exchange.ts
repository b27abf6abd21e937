import { ExchangeState, type Chain, type StageResult, type StreamOutcome } from '@portcullis/plugin-runtime';
import type { CompiledRoute, Generation } from '../configuration/generation.ts';
import { failures } from '../transport/upstream-failures.ts';
import type { AbortCause, CallObserver } from '../transport/server-transport.ts';
import { exchangeParts } from './exchange-parts.ts';
import { forwardRequest } from './forward-request.ts';
import type { AnsweringExchange } from './answering-exchange.ts';
import { bufferedBytesMax, HeldBody } from './held-body.ts';
import { ObservedExchange } from './observed-exchange.ts';
import { problemOfFailure, problemOfStage, problems, renderProblem, type GatewayProblem } from './problems.ts';
import { protocolProblem } from './protocol-problem.ts';
import { routeRequest } from './route-request.ts';
import { readHead, type RequestHead } from './request-head.ts';
import { withoutFraming } from './response-head.ts';
import { StreamedBody, type StreamedBodyTarget } from './streamed-body.ts';

/** One request from its arrival to its observation. */
export class Exchange extends ObservedExchange implements CallObserver {
  #generation: Generation | undefined;
  #head: RequestHead | undefined;
  #route: CompiledRoute | undefined;
  #matchedLength = 0;
  #state: ExchangeState | undefined;
  /** Set when a body could not be held: then that is why the request fails. */
  #refusal: GatewayProblem | undefined;
  /** The request's body as plugins may read it. */
  #held: HeldBody | undefined;
  #upstream: AnsweringExchange | undefined;
  /** Whether the gateway answers with a problem of its own. */
  #failed = false;

  /** What plugins see; `undefined` on routes without plugins. */
  get state(): ExchangeState | undefined {
    return this.#state;
  }

  get route(): CompiledRoute | undefined {
    return this.#route;
  }

  get head(): RequestHead | undefined {
    return this.#head;
  }

  /** Characters of the path that the route's path matched. */
  get matchedLength(): number {
    return this.#matchedLength;
  }

  /** Whether stream hooks see the bodies of this route's answers. */
  get streams(): boolean {
    return this.#state !== undefined && this.#route?.chain?.hasStreamHooks === true;
  }

  /** Whether the route's answers leave when they are whole. */
  get holdsAnswer(): boolean {
    return this.#route?.holdsAnswers === true;
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

  onAborted(cause: AbortCause): void {
    if (this.over) return;
    // A plugin that answers may say more of the request before it is observed.
    this.#state?.abort();
    this.#upstream?.abort();
    this.tunnel?.destroy();
    this.leave(cause);
  }

  onClosed(): void {
    this.#held?.release();
    this.#upstream?.release();
  }

  /** A body that somebody reads does not fit into memory: the read fails, and the request with this problem. */
  refuseHold(problem: GatewayProblem): void {
    this.#refusal ??= problem;
  }

  /** Answers with a problem of the gateway, after the route's error hooks. */
  fail(reason: GatewayProblem): void {
    if (this.over) return;
    const problem = this.#refusal ?? reason;
    this.#failed = true;
    this.closes = problem.close === true;
    const chain = this.#route === undefined ? this.#generation?.fallbackChain : this.#route.chain;
    const { headers, body } = renderProblem(problem, this.requestId);
    if (chain === undefined || !(chain.hasErrorHooks || this.#state !== undefined)) {
      this.respond(problem.status, 'gateway', headers, body);
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
    if (this.over) return;
    this.#upstream?.abort();
    if (this.call.begun) {
      this.call.abort();
      this.finish({ code: problems.internal.code, message: problems.internal.detail });
      return;
    }
    const { headers, body } = renderProblem(problems.internal, this.requestId);
    this.respond(problems.internal.status, 'gateway', headers, body);
  }

  /** Answers after a plugin failed that must not, or a body that one was reading. */
  failStage(): void {
    this.fail(problemOfStage(this.#state));
  }

  /** The client gets something else than the upstream's answer. */
  leaveUpstream(): void {
    this.#upstream?.abort();
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

  /** The stream hooks of the route, for a body on its way to `target`; `undefined` when there are none. */
  streamTo(target: StreamedBodyTarget): StreamedBody | undefined {
    const chain = this.#route?.chain;
    if (!this.streams || chain === undefined || this.#state === undefined) return undefined;
    return new StreamedBody(chain, this.#state, target);
  }

  /** Sends what the state says as a whole. The stream hooks see it as one chunk, unless the gateway failed the request. */
  sendWhole(): void {
    const { source, body } = this.stateResponse();
    const chain = this.#route?.chain;
    const isStreamed = this.streams && !this.#failed && source !== 'gateway' && body !== undefined;
    if (!isStreamed || chain === undefined || this.#state === undefined) {
      this.#respondState(body);
      return;
    }
    const outcome = chain.runStream(this.#state, { bytes: body, index: 0, last: true });
    if (!(outcome instanceof Promise)) this.#respondState(outcome);
    else outcome.then((late) => this.#respondState(late)).catch((error: unknown) => this.crash(error));
  }

  /** The state's response. @throws Error when there is no state */
  stateResponse(): ExchangeState['response'] {
    if (this.#state === undefined) throw new Error('the exchange has no state');
    return this.#state.response;
  }

  protected get answering(): AnsweringExchange | undefined {
    return this.#upstream;
  }

  protected release(): void {
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
    const head = readHead(this.call, this.ports.trusted, this.ports.traces);
    if ('status' in head) {
      this.fail(head);
      return;
    }
    this.#head = head;
    const found = routeRequest(generation, this.call, head);
    if ('status' in found) {
      this.fail(found);
      return;
    }
    this.#route = found.route;
    this.#matchedLength = found.matchedLength;
    const { protocolRule } = found.route;
    const refusal = protocolRule && protocolProblem(protocolRule, head, this.call);
    if (refusal === undefined) this.#runRequest();
    else this.fail(refusal);
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
    if (this.over) return;
    if (result === 'continue') this.#forward();
    else if (result === 'failed') this.failStage();
    else this.runResponse(chain);
  }

  #afterResponse(result: StageResult): void {
    if (this.over) return;
    if (result === 'failed') {
      this.#upstream?.abort();
      const failure = this.#upstream?.failure;
      this.fail(failure === undefined ? problemOfStage(this.#state) : problemOfFailure(failure));
    } else if (this.#upstream === undefined) this.sendWhole();
    else this.#upstream.sendAnswer();
  }

  #forward(): void {
    if (this.#route === undefined || this.over) return;
    const chosen = this.#state?.request;
    const responder = chosen?.responder;
    if (this.#route.balancer === undefined && chosen?.destination === undefined && responder === undefined) {
      this.fail(problems.noService);
      return;
    }
    // A plugin that answers reads as much of the body as it wants.
    const body = responder === undefined ? this.call.body : undefined;
    if (this.#route.holdsRequests === true && body !== undefined && this.#state?.request.body === undefined) {
      this.#held ??= new HeldBody(body, this, problems.requestNotHeld, problems.requestTooSlow);
      this.#held
        .read(bufferedBytesMax)
        .then((bytes) => {
          if (bytes === undefined) this.fail(problems.requestTooLarge);
          else this.#callUpstream();
        })
        .catch(() => this.fail(problemOfFailure(failures.requestBody)));
      return;
    }
    this.#callUpstream();
  }

  #callUpstream(): void {
    if (this.#route === undefined || this.#head === undefined || this.over) return;
    this.#upstream = forwardRequest(this, this.#route, this.#head, this.#held);
    if (this.#upstream === undefined) this.fail(problems.noService);
    else this.#upstream.start(this.#route.stripPath ? this.#matchedLength : 0);
  }

  #stateOf(): ExchangeState {
    if (this.#state !== undefined) return this.#state;
    if (this.call.body !== undefined)
      this.#held = new HeldBody(this.call.body, this, problems.requestNotHeld, problems.requestTooSlow);
    this.#state = new ExchangeState(exchangeParts(this, this.#generation, this.#held));
    return this.#state;
  }

  /** @param body `failed` cuts the answer before it began: a stream hook wants it so */
  #respondState(body: StreamOutcome | undefined): void {
    if (this.over) return;
    const { status, source, headers } = this.stateResponse();
    if (body !== 'failed') {
      this.respond(status, source, withoutFraming(headers.toPairs()), body);
      return;
    }
    this.cut(status, source, this.#upstream);
  }
}
