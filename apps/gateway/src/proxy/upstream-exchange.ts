import type { Balancer, Target } from '../configuration/balancer.ts';
import type { CompiledRoute, CompiledService } from '../configuration/generation.ts';
import { upstreamPath } from '../router/upstream-path.ts';
import type { BodySource } from '../transport/body-source.ts';
import { failures } from '../transport/upstream-failures.ts';
import type { ResponseSink, UpstreamCall, UpstreamFailure } from '../transport/upstream-transport.ts';
import type { Exchange } from './exchange.ts';
import type { HeldBody } from './held-body.ts';
import { problemOfFailure, problems } from './problems.ts';
import { pauseBeforeRetry } from './retry-plan.ts';
import type { RequestHead } from './request-head.ts';
import { responseHead } from './response-head.ts';
import { UpstreamAnswer } from './upstream-answer.ts';
import { addConsumer, replaceHost } from './upstream-headers.ts';

/** The upstream's part of an exchange: sends the request, tries again where that is safe, streams the answer back. */
export class UpstreamExchange implements ResponseSink {
  readonly #exchange: Exchange;
  readonly #route: CompiledRoute;
  readonly #service: CompiledService;
  readonly #balancer: Balancer;
  readonly #head: RequestHead;
  readonly #held: HeldBody | undefined;
  /** Why the last attempt failed, if it did. */
  failure: UpstreamFailure | undefined;
  #path = '';
  #body: BodySource | Uint8Array | undefined;
  #call: UpstreamCall | undefined;
  #retries = 0;
  #sentAuthority = '';
  #target: Target | undefined;
  /** Targets that failed. */
  #tried: Set<Target> | undefined;
  #pause: NodeJS.Timeout | undefined;
  #sentMs = 0;
  #doneMs = 0;
  #answer: UpstreamAnswer | undefined;

  constructor(
    exchange: Exchange,
    route: CompiledRoute,
    service: CompiledService,
    balancer: Balancer,
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
    const path = this.#pathFor(strippedLength);
    if (path === undefined) {
      this.#exchange.fail(problems.malformedTarget);
      return;
    }
    this.#path = path;
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

  abort(): void {
    clearTimeout(this.#pause);
    this.#call?.abort();
  }

  onResponse(status: number, headers: string[]): void {
    if (this.#exchange.over || this.#call === undefined) return;
    const { pairs, length } = responseHead(headers);
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
    this.#answer?.takeEnd();
  }

  onFailure(failure: UpstreamFailure): void {
    this.#doneMs = this.#exchange.ports.monotonicMs();
    this.failure = failure;
    if (this.#exchange.over) return;
    if (this.#answer !== undefined) this.#answer.takeFailure(failure);
    else if (!this.#retry(failure)) this.#exchange.fail(problemOfFailure(failure));
  }

  /** @returns `false` when the failure stands */
  #retry(failure: UpstreamFailure): boolean {
    const target = this.#target;
    if (target === undefined || this.#service.retries === 0) return false;
    this.#retries += 1;
    const tried = (this.#tried ??= new Set()).add(target);
    const attempt = {
      failure,
      method: this.#exchange.call.method,
      repeatable: this.#body === undefined || this.#body instanceof Uint8Array,
      attempts: this.#retries,
      untried: this.#balancer.size - tried.size,
      elapsedMs: this.#doneMs - this.#sentMs,
    };
    const pauseMs = pauseBeforeRetry(attempt, this.#service.retries, target.client.connectTimeoutMs);
    if (pauseMs === undefined) return false;
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
    const target = this.#balancer.next(this.#tried);
    if (target === undefined) {
      this.#exchange.fail(problems.noTarget);
      return;
    }
    this.#target = target;
    if (this.#sentMs === 0) this.#sentMs = this.#exchange.ports.monotonicMs();
    const clients = this.#route.preserveHost ? this.#head.authority : '';
    const authority = clients === '' ? (this.#service.hostHeader ?? target.authority) : clients;
    const headers = this.#headersFor(authority);
    const { readTimeoutMs, writeTimeoutMs } = this.#route;
    const { method } = this.#exchange.call;
    const request = { method, path: this.#path, headers, body: this.#body, readTimeoutMs, writeTimeoutMs };
    this.#call = target.client.send(request, this);
  }

  /** The request's own list: what it gets for the first attempt holds for the others, but for the host. */
  #headersFor(authority: string): readonly string[] {
    const { pairs } = this.#head;
    if (this.#retries === 0) {
      const consumer = this.#exchange.state?.consumer;
      if (consumer !== undefined) addConsumer(pairs, consumer);
    }
    const replaced = this.#retries === 0 ? this.#head.authority : this.#sentAuthority;
    this.#sentAuthority = authority;
    replaceHost(pairs, replaced, authority);
    return pairs;
  }

  /** A path that a plugin set goes as it is; the client's is stripped and joined to the service's. */
  #pathFor(strippedLength: number): string | undefined {
    const view = this.#exchange.state?.request;
    const query = view === undefined ? this.#head.query : view.query;
    const isEdited = view !== undefined && view.path !== this.#head.path;
    const path = isEdited ? view.path : upstreamPath(this.#service.path, this.#head.path, strippedLength);
    return query === '' || path === undefined ? path : `${path}?${query}`;
  }
}
