import type { Endpoint } from '../balancing/endpoint.ts';
import type { BalancedRequest } from '../balancing/hash-key.ts';
import type { UpstreamBalancer, Waiting } from '../balancing/upstream-balancer.ts';
import type { CompiledRoute, CompiledService } from '../configuration/generation.ts';
import type { BodySource } from '../transport/body-source.ts';
import { failures } from '../transport/upstream-failures.ts';
import type { ResponseSink, UpstreamCall, UpstreamFailure } from '../transport/upstream-transport.ts';
import { Attempt } from './attempt.ts';
import type { Exchange } from './exchange.ts';
import { FailedAttempts } from './failed-attempts.ts';
import type { HeldBody } from './held-body.ts';
import { cookieLine, forwardedPath } from './forwarded-parts.ts';
import { problemsOfRefusal } from './no-endpoint.ts';
import { pathCapture } from './path-capture.ts';
import { problemOfFailure, problems } from './problems.ts';
import type { RequestHead } from './request-head.ts';
import { responseHead } from './response-head.ts';
import { UpstreamAnswer } from './upstream-answer.ts';
import { addConsumer, replaceHost } from './upstream-headers.ts';

/** The upstream's part of an exchange: sends the request, tries again where that is safe, streams the answer back. */
export class UpstreamExchange implements ResponseSink, BalancedRequest, Waiting {
  readonly #exchange: Exchange;
  readonly #route: CompiledRoute;
  readonly #service: CompiledService;
  readonly #balancer: UpstreamBalancer;
  readonly #head: RequestHead;
  readonly #held: HeldBody | undefined;
  /** Why the last attempt failed, if it did. */
  failure: UpstreamFailure | undefined;
  #upstreamPath = '';
  #body: BodySource | Uint8Array | undefined;
  #call: UpstreamCall | undefined;
  /** Host of the attempt before. */
  #sentAuthority: string | undefined;
  readonly #attempt = new Attempt();
  #endpoint: Endpoint | undefined;
  #failed: FailedAttempts | undefined;
  /** A cookie that the client gets, for the balancer to know it again by. */
  #cookie: { readonly name: string; readonly value: string; readonly path: string } | undefined;
  #pause: NodeJS.Timeout | undefined;
  #sentMs = 0;
  #doneMs = 0;
  #answer: UpstreamAnswer | undefined;
  #isGivenUp = false;

  constructor(
    exchange: Exchange,
    route: CompiledRoute,
    service: CompiledService,
    balancer: UpstreamBalancer,
    head: RequestHead,
    held: HeldBody | undefined,
  ) {
    this.#exchange = exchange;
    this.#route = route;
    this.#service = service;
    this.#balancer = balancer;
    this.#head = head;
    this.#held = held;
  }

  /** Microseconds from sending to the end of the answer; `undefined` when nothing was sent. */
  get latencyUs(): number | undefined {
    if (this.#sentMs === 0) return undefined;
    const doneMs = this.#doneMs === 0 ? this.#exchange.ports.monotonicMs() : this.#doneMs;
    return Math.round((doneMs - this.#sentMs) * 1000);
  }

  /** @param strippedLength how much of the client's path is cut off */
  start(strippedLength: number): void {
    const view = this.#exchange.state?.request;
    const path = forwardedPath(this.#head, view, this.#service.path, strippedLength);
    if (path === undefined) {
      this.#exchange.fail(problems.malformedTarget);
      return;
    }
    this.#upstreamPath = path;
    const replaced = this.#exchange.state?.request.body;
    if (replaced !== undefined) this.#body = replaced;
    else if (this.#held === undefined || this.#held.untouched) this.#body = this.#exchange.call.body;
    else {
      this.#held
        .forward()
        .then((body) => this.#sendWith(body))
        .catch(() => this.#exchange.fail(problemOfFailure(failures.requestBody)));
      return;
    }
    this.#send();
  }

  onDrain(): void {
    if (this.#answer === undefined) this.#call?.resume();
    else this.#answer.resume();
  }

  /** Whoever gives the upstream up answers the client. */
  abort(): void {
    this.#isGivenUp = true;
    clearTimeout(this.#pause);
    this.#balancer.leave(this);
    this.#call?.abort();
  }

  /** The client's side is over: nothing of the answer is held any more. */
  release(): void {
    this.#answer?.release();
  }

  get consumerId(): string | undefined {
    return this.#exchange.state?.consumer?.id;
  }

  get clientIp(): string {
    return this.#head.clientIp;
  }

  get path(): string {
    return this.#head.path;
  }

  get query(): string {
    return this.#head.query;
  }

  get fields(): readonly string[] {
    return this.#head.pairs;
  }

  capture(group: string): string | undefined {
    return pathCapture(this.#route, this.#head.path, this.#exchange.matchedLength, group);
  }

  newCookie(name: string, path: string): string {
    this.#cookie ??= { name, value: this.#exchange.ports.newId(), path };
    return this.#cookie.value;
  }

  onResolved(): void {
    clearTimeout(this.#pause);
    if (!this.#exchange.over) this.#send();
  }

  onResponse(status: number, headers: string[]): void {
    this.#attempt.answered(status, this.#exchange.ports.monotonicMs());
    if (this.#exchange.over || this.#call === undefined) return;
    const { pairs, length } = responseHead(headers);
    if (this.#cookie !== undefined) pairs.push('set-cookie', cookieLine(this.#cookie));
    const answer = new UpstreamAnswer(this.#exchange, this.#call, length);
    this.#answer = answer;
    const { state } = this.#exchange;
    const { chain } = this.#route;
    if (state === undefined || chain === undefined) {
      answer.begin(status, pairs);
      return;
    }
    if (!chain.hasResponseHooks) {
      state.setResponse({ status, headers: pairs, source: 'upstream' });
      answer.begin(status, state.response.headers.toPairs());
      return;
    }
    const readBody = (bytesMax: number): Promise<Uint8Array | undefined> => answer.hold().read(bytesMax);
    state.setResponse({ status, headers: pairs, source: 'upstream', readBody });
    this.#exchange.runResponse(chain);
  }

  /** Lets the answer's body wait: a response hook has not decided yet. */
  hold(): void {
    this.#answer?.hold();
  }

  /** After the response hooks: sends what they left of the answer. */
  sendAnswer(): void {
    this.#answer?.send();
  }

  onChunk(chunk: Uint8Array): void {
    this.#answer?.take(chunk);
  }

  onEnd(): void {
    this.#doneMs = this.#exchange.ports.monotonicMs();
    this.#attempt.end();
    this.#answer?.takeEnd();
  }

  onFailure(failure: UpstreamFailure): void {
    this.#doneMs = this.#exchange.ports.monotonicMs();
    this.#attempt.failed(failure.code, this.#doneMs);
    this.#attempt.end();
    if (this.#exchange.over || this.#isGivenUp) return;
    this.failure = failure;
    if (this.#answer !== undefined) this.#answer.takeFailure(failure);
    else if (!this.#retry(failure)) this.#exchange.fail(problemOfFailure(this.failure));
  }

  /** @returns `false` when the failure stands; where the upstream's budget of retries is used up, the first one does */
  #retry(failure: UpstreamFailure): boolean {
    const endpoint = this.#endpoint;
    if (endpoint === undefined) return false;
    const failed = (this.#failed ??= new FailedAttempts(failure, this.#balancer));
    const pauseMs = failed.pauseAfter({
      failure,
      endpoint,
      method: this.#exchange.call.method,
      repeatable: this.#body === undefined || this.#body instanceof Uint8Array,
      nowMs: this.#doneMs,
      elapsedMs: this.#doneMs - this.#sentMs,
      retries: this.#service.retries,
      budgetMs: this.#route.connectTimeoutMs,
    });
    if (pauseMs === undefined) return false;
    if (!this.#balancer.state.budget.withdraw(this.#doneMs)) {
      this.failure = failed.first;
      return false;
    }
    if (pauseMs === 0) this.#send();
    else this.#pause = setTimeout(() => this.#send(), pauseMs);
    return true;
  }

  #sendWith(body: BodySource | Uint8Array): void {
    if (this.#exchange.over) return;
    this.#body = body;
    this.#send();
  }

  #send(): void {
    const nowMs = this.#exchange.ports.monotonicMs();
    const endpoint = this.#balancer.choose(this, nowMs, this.#failed?.tried, this.#failed?.leavesTier);
    if (endpoint === undefined) {
      this.#sendNowhere();
      return;
    }
    if (this.#sentMs === 0) {
      this.#sentMs = nowMs;
      this.#balancer.state.budget.deposit(nowMs);
    }
    const clients = this.#route.preserveHost ? this.#head.authority : '';
    const authority = clients === '' ? (this.#service.hostHeader ?? endpoint.authority) : clients;
    const headers = this.#headersFor(authority);
    const { readTimeoutMs, writeTimeoutMs } = this.#route;
    const { method } = this.#exchange.call;
    const request = { method, path: this.#upstreamPath, headers, body: this.#body, readTimeoutMs, writeTimeoutMs };
    const client = endpoint.clientFor(this.#route.connectTimeoutMs);
    this.#endpoint = endpoint;
    this.#attempt.begin(endpoint, nowMs);
    try {
      this.#call = client.send(request, this);
    } catch (error) {
      this.#attempt.failed('request_not_sendable', nowMs);
      this.#attempt.end();
      this.#exchange.crash(error);
    }
  }

  /**
   * No endpoint can be used: a failure that came before stands, and names that are asked for first are waited for, as long as a
   * connection may take.
   */
  #sendNowhere(): void {
    if (this.failure !== undefined) this.#exchange.fail(problemOfFailure(this.failure));
    else if (this.#balancer.isPending) {
      this.#balancer.wait(this);
      this.#pause = setTimeout(() => {
        this.#balancer.leave(this);
        this.#exchange.fail(problemsOfRefusal.unresolved);
      }, this.#route.connectTimeoutMs);
    } else this.#exchange.fail(problemsOfRefusal[this.#balancer.refusal()]);
  }

  /** The request's own list: what it gets for the first attempt holds for the others, but for the host. */
  #headersFor(authority: string): readonly string[] {
    const { pairs } = this.#head;
    if (this.#sentAuthority === undefined) {
      const consumer = this.#exchange.state?.consumer;
      if (consumer !== undefined) addConsumer(pairs, consumer);
    }
    const replaced = this.#sentAuthority ?? this.#head.authority;
    this.#sentAuthority = authority;
    replaceHost(pairs, replaced, authority);
    return pairs;
  }
}
