import type { Endpoint } from '../balancing/endpoint.ts';
import type { BalancedRequest } from '../balancing/hash-key.ts';
import type { UpstreamBalancer, Waiting } from '../balancing/upstream-balancer.ts';
import type { CompiledRoute, CompiledService } from '../configuration/generation.ts';
import type { UpstreamFailure } from '../transport/upstream-transport.ts';
import { Attempt } from './attempt.ts';
import type { Exchange } from './exchange.ts';
import { FailedAttempts } from './failed-attempts.ts';
import type { HeldBody } from './held-body.ts';
import { ForwardedExchange } from './forwarded-exchange.ts';
import { cookieLine, forwardedPath } from './forwarded-parts.ts';
import { problemsOfRefusal } from './no-endpoint.ts';
import { pathCapture } from './path-capture.ts';
import { problemOfFailure, problems } from './problems.ts';
import type { RequestHead } from './request-head.ts';
import { addConsumer, replaceHost } from './upstream-headers.ts';
import { attemptTarget } from '../tracing/attempt-target.ts';

/** The upstream's part of an exchange: sends the request, tries again where that is safe, streams the answer back. */
export class UpstreamExchange extends ForwardedExchange implements BalancedRequest, Waiting {
  readonly #service: CompiledService;
  readonly #balancer: UpstreamBalancer;
  #upstreamPath = '';
  /** Host of the attempt before. */
  #sentAuthority: string | undefined;
  readonly #attempt = new Attempt();
  #endpoint: Endpoint | undefined;
  #failed: FailedAttempts | undefined;
  /** A cookie that the client gets, for the balancer to know it again by. */
  #cookie: { readonly name: string; readonly value: string; readonly path: string } | undefined;
  #pause: NodeJS.Timeout | undefined;

  constructor(
    exchange: Exchange,
    route: CompiledRoute,
    service: CompiledService,
    balancer: UpstreamBalancer,
    head: RequestHead,
    held: HeldBody | undefined,
  ) {
    super(exchange, route, head, held);
    this.#service = service;
    this.#balancer = balancer;
  }

  /** @param strippedLength how much of the client's path is cut off */
  start(strippedLength: number): void {
    const view = this.exchange.state?.request;
    const path = forwardedPath(this.head, view, this.#service.path, strippedLength);
    if (path === undefined) {
      this.exchange.fail(problems.malformedTarget);
      return;
    }
    this.#upstreamPath = path;
    this.sendWithBody();
  }

  override abort(): void {
    clearTimeout(this.#pause);
    this.#balancer.leave(this);
    super.abort();
  }

  get consumerId(): string | undefined {
    return this.exchange.state?.consumer?.id;
  }

  get clientIp(): string {
    return this.head.clientIp;
  }

  get path(): string {
    return this.head.path;
  }

  get query(): string {
    return this.head.query;
  }

  get fields(): readonly string[] {
    return this.head.pairs;
  }

  capture(group: string): string | undefined {
    return pathCapture(this.route, this.head.path, this.exchange.matchedLength, group);
  }

  newCookie(name: string, path: string): string {
    this.#cookie ??= { name, value: this.exchange.ports.newId(), path };
    return this.#cookie.value;
  }

  onResolved(): void {
    clearTimeout(this.#pause);
    if (!this.exchange.over) this.send();
  }

  protected noteAnswer(status: number, nowMs: number): void {
    this.#attempt.answered(status, nowMs);
  }

  protected noteEnd(failure: UpstreamFailure | undefined): void {
    if (failure !== undefined) this.#attempt.failed(failure.code, this.doneMs);
    this.#attempt.end();
  }

  protected addFields(pairs: string[]): void {
    if (this.#cookie !== undefined) pairs.push('set-cookie', cookieLine(this.#cookie));
  }

  /** @returns `false` when the failure stands; where the upstream's budget of retries is used up, the first one does */
  protected retry(failure: UpstreamFailure): boolean {
    const endpoint = this.#endpoint;
    if (endpoint === undefined) return false;
    const failed = (this.#failed ??= new FailedAttempts(failure, this.#balancer));
    const pauseMs = failed.pauseAfter({
      failure,
      endpoint,
      method: this.exchange.call.method,
      repeatable: this.body === undefined || this.body instanceof Uint8Array,
      nowMs: this.doneMs,
      elapsedMs: this.doneMs - this.sentMs,
      retries: this.#service.retries,
      budgetMs: this.route.connectTimeoutMs,
    });
    if (pauseMs === undefined) return false;
    if (!this.#balancer.state.budget.withdraw(this.doneMs)) {
      this.failure = failed.first;
      return false;
    }
    if (pauseMs === 0) this.send();
    else this.#pause = setTimeout(() => this.send(), pauseMs);
    return true;
  }

  protected send(): void {
    const nowMs = this.exchange.ports.monotonicMs();
    const endpoint = this.#balancer.choose(this, nowMs, this.#failed?.tried, this.#failed?.leavesTier);
    if (endpoint === undefined) {
      this.#sendNowhere();
      return;
    }
    const isHttp1 = speaksHttp1(endpoint);
    if (this.head.upgrade !== undefined && !isHttp1) {
      this.exchange.fail(problems.noUpgrade);
      return;
    }
    if (this.sentMs === 0) {
      this.sentMs = nowMs;
      this.#balancer.state.budget.deposit(nowMs);
    }
    const clients = this.route.preserveHost ? this.head.authority : '';
    const authority = clients === '' ? (this.#service.hostHeader ?? endpoint.authority) : clients;
    const headers = this.#headersFor(authority, isHttp1);
    this.recorded?.begin(this.head.pairs, attemptTarget(endpoint.address, this.#upstreamPath), nowMs);
    const { readTimeoutMs, writeTimeoutMs } = this.route;
    const { method } = this.exchange.call;
    const { upgrade } = this.head;
    const { body, trailerNames } = this.withTrailers(isHttp1);
    const request = {
      method,
      path: this.#upstreamPath,
      headers,
      body,
      trailerNames,
      readTimeoutMs,
      writeTimeoutMs,
      upgrade,
    };
    const client = endpoint.clientFor(this.route.connectTimeoutMs);
    this.#endpoint = endpoint;
    this.#attempt.begin(endpoint, nowMs);
    try {
      this.call = client.send(request, this);
    } catch (error) {
      this.#attempt.failed('request_not_sendable', nowMs);
      this.#attempt.end();
      this.exchange.crash(error);
    }
  }

  /**
   * No endpoint can be used: a failure that came before stands, and names that are asked for first are waited for, as long as a
   * connection may take.
   */
  #sendNowhere(): void {
    if (this.failure !== undefined) this.exchange.fail(problemOfFailure(this.failure));
    else if (this.#balancer.isPending) {
      this.#balancer.wait(this);
      this.#pause = setTimeout(() => {
        this.#balancer.leave(this);
        this.exchange.fail(problemsOfRefusal.unresolved);
      }, this.route.connectTimeoutMs);
    } else this.exchange.fail(problemsOfRefusal[this.#balancer.refusal()]);
  }

  /** The request's own list: what it gets for the first attempt holds for the others, but for the host. */
  #headersFor(authority: string, isHttp1: boolean): readonly string[] {
    const { pairs } = this.head;
    if (this.#sentAuthority === undefined) {
      const consumer = this.exchange.state?.consumer;
      if (consumer !== undefined) addConsumer(pairs, consumer);
      if (!isHttp1 && this.head.takesTrailers) pairs.push('te', 'trailers');
    }
    const replaced = this.#sentAuthority ?? this.head.authority;
    this.#sentAuthority = authority;
    replaceHost(pairs, replaced, authority);
    return pairs;
  }
}

/** HTTP/2 has no upgrades, and what upstreams make of RFC 8441 is not asked. */
function speaksHttp1({ address: { protocol } }: Endpoint): boolean {
  return protocol === 'http' || protocol === 'https';
}
