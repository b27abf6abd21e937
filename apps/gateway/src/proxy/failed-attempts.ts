import type { Endpoint } from '../balancing/endpoint.ts';
import type { UpstreamBalancer } from '../balancing/upstream-balancer.ts';
import type { UpstreamFailure } from '../transport/upstream-transport.ts';
import { isConnectFailure, pauseBeforeRetry, type FailedAttempt } from './retry-plan.ts';

/** What is known of a request, and what it may do. */
export interface RetryTerms extends Pick<FailedAttempt, 'failure' | 'method' | 'repeatable' | 'elapsedMs'> {
  readonly endpoint: Endpoint;
  /** Monotonic. */
  readonly nowMs: number;
  /** How often at most. */
  readonly retries: number;
  /** See `pauseBeforeRetry`. */
  readonly budgetMs: number;
}

/** The attempts of one request that failed. Made with the first of them: most requests have none. */
export class FailedAttempts {
  /** Why the first attempt failed. */
  readonly first: UpstreamFailure;
  /** Endpoints that failed. */
  readonly tried: Endpoint[] = [];
  /** Whether another tier is better than an endpoint that failed: no connection could be made to it. */
  leavesTier = true;
  readonly #balancer: UpstreamBalancer;
  #retries = 0;

  constructor(first: UpstreamFailure, balancer: UpstreamBalancer) {
    this.first = first;
    this.#balancer = balancer;
  }

  /** Another attempt failed. @returns milliseconds until the next one, or `undefined` when the failure stands */
  pauseAfter({ failure, endpoint, nowMs, retries, budgetMs, ...request }: RetryTerms): number | undefined {
    const { tried } = this;
    if (!tried.includes(endpoint)) tried.push(endpoint);
    this.leavesTier = failure.unsent;
    if (isConnectFailure(failure)) {
      this.#balancer.connectFailed(endpoint, nowMs);
      // To connect to a name is to try its addresses: that is no retry of the request.
      if (this.#balancer.hasAlternative(endpoint, tried)) return 0;
    }
    this.#retries += 1;
    if (retries < this.#retries) return undefined;
    const hasUntried = this.#balancer.hasUntried(tried, this.leavesTier);
    return pauseBeforeRetry({ ...request, failure, attempts: this.#retries, hasUntried }, retries, budgetMs);
  }
}
