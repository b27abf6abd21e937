import type { Socket } from 'node:net';
import type { System } from '../adapters/system.ts';
import type { Endpoint } from '../balancing/endpoint.ts';
import type { BalancedRequest } from '../balancing/hash-key.ts';
import type { UpstreamBalancer, Waiting } from '../balancing/upstream-balancer.ts';
import { Attempt } from '../proxy/attempt.ts';
import { FailedAttempts } from '../proxy/failed-attempts.ts';
import { problemsOfRefusal } from '../proxy/no-endpoint.ts';
import { problemOfFailure, type GatewayProblem } from '../proxy/problems.ts';
import type { UpstreamFailure } from '../transport/upstream-transport.ts';
import type { Dial, Dialing } from './dial.ts';

/**
 * What a connection is told apart by in balancing: that it was made is what `CONNECT` says of requests. Health checks that judge by status take
 * this one.
 */
const connectedStatus = 200;
const method = 'CONNECT';

/** What a connection to an upstream is made with. */
export interface StreamDialParts {
  readonly balancer: UpstreamBalancer;
  /** How often at most another attempt is made. */
  readonly retries: number;
  /** For each attempt; no attempt at what was tried before begins later. */
  readonly connectTimeoutMs: number;
  readonly clientIp: string;
  readonly serverName: string | undefined;
  /** Whether what is carried is TLS already, of the client's own: then none is put around it. */
  readonly isEncrypted: boolean;
  readonly dial: Dial;
  readonly system: Pick<System, 'monotonicMs' | 'setTimer' | 'newId'>;
  readonly onConnected: (socket: Socket) => void;
  readonly onFailed: (problem: Pick<GatewayProblem, 'status' | 'code'>) => void;
}

/**
 * Finds an endpoint for a connection, as for a request whose body has not been read: any failure may be tried again elsewhere, within the retries
 * of the service and the budget of its upstream. The endpoint counts the connection until {@link end}.
 */
export class StreamDial implements BalancedRequest, Waiting {
  readonly consumerId = undefined;
  readonly query = '';
  readonly fields: readonly string[] = [];
  readonly clientIp: string;
  /** The server name stands where requests have their path. */
  readonly path: string;
  readonly #parts: StreamDialParts;
  readonly #attempt = new Attempt();
  #startedMs = 0;
  #cookie: string | undefined;
  #failed: FailedAttempts | undefined;
  #failure: UpstreamFailure | undefined;
  #dialing: Dialing | undefined;
  #cancelPause: (() => void) | undefined;

  constructor(parts: StreamDialParts) {
    this.#parts = parts;
    this.clientIp = parts.clientIp;
    this.path = parts.serverName ?? '';
  }

  start(): void {
    const { balancer, system } = this.#parts;
    this.#startedMs = system.monotonicMs();
    balancer.state.budget.deposit(this.#startedMs);
    this.#try();
  }

  /** The connection is over, or not wanted any more. Safe to call twice. */
  end(): void {
    this.#cancelPause?.();
    this.#parts.balancer.leave(this);
    this.#dialing?.abort();
    this.#attempt.failed('aborted', this.#parts.system.monotonicMs());
    this.#attempt.end();
  }

  capture(): undefined {
    return undefined;
  }

  /** Nobody can be given one: connections that would be told apart by it are spread. */
  newCookie(): string {
    return (this.#cookie ??= this.#parts.system.newId());
  }

  onResolved(): void {
    this.#cancelPause?.();
    this.#try();
  }

  #try(): void {
    const { balancer, dial, connectTimeoutMs, system } = this.#parts;
    const nowMs = system.monotonicMs();
    const endpoint = balancer.choose(this, nowMs, this.#failed?.tried, this.#failed?.leavesTier);
    if (endpoint === undefined) {
      this.#goNowhere();
      return;
    }
    this.#attempt.begin(endpoint, nowMs);
    this.#dialing = dial(
      { ...endpoint.address, connectTimeoutMs, ...(this.#parts.isEncrypted && { protocol: 'tcp' }) },
      {
        onConnected: (socket) => {
          this.#attempt.answered(connectedStatus, system.monotonicMs());
          this.#parts.onConnected(socket);
        },
        onFailed: (failure) => this.#fail(failure, endpoint),
      },
    );
  }

  #fail(failure: UpstreamFailure, endpoint: Endpoint): void {
    const { balancer, retries, connectTimeoutMs, system, onFailed } = this.#parts;
    const nowMs = system.monotonicMs();
    this.#attempt.failed(failure.code, nowMs);
    this.#attempt.end();
    this.#failure = failure;
    const failed = (this.#failed ??= new FailedAttempts(failure, balancer));
    const pauseMs = failed.pauseAfter({
      failure,
      endpoint,
      method,
      repeatable: true,
      nowMs,
      elapsedMs: nowMs - this.#startedMs,
      retries,
      budgetMs: connectTimeoutMs,
    });
    if (pauseMs === undefined) onFailed(problemOfFailure(failure));
    else if (!balancer.state.budget.withdraw(nowMs)) onFailed(problemOfFailure(failed.first));
    else if (pauseMs === 0) this.#try();
    else this.#cancelPause = system.setTimer(() => this.#try(), pauseMs);
  }

  #goNowhere(): void {
    const { balancer, connectTimeoutMs, system, onFailed } = this.#parts;
    if (this.#failure !== undefined) onFailed(problemOfFailure(this.#failure));
    else if (balancer.isPending) {
      balancer.wait(this);
      this.#cancelPause = system.setTimer(() => {
        balancer.leave(this);
        onFailed(problemsOfRefusal.unresolved);
      }, connectTimeoutMs);
    } else onFailed(problemsOfRefusal[balancer.refusal()]);
  }
}
