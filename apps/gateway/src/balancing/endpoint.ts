import type { EndpointHealth } from '../health/endpoint-health.ts';
import type { UpstreamAddress, UpstreamClient, UpstreamFailure } from '../transport/upstream-transport.ts';

/** Where an endpoint is, whatever a route's connect time-out may be. */
export type EndpointAddress = Omit<UpstreamAddress, 'connectTimeoutMs'>;

/** Gives out connections and takes them back. */
export interface ClientSource {
  acquire(address: UpstreamAddress): UpstreamClient;
  release(address: UpstreamAddress): void;
}

/** What an endpoint is told of the world. */
export interface EndpointParts {
  readonly address: EndpointAddress;
  readonly authority: string;
  readonly clients: ClientSource;
}

/** Time in which an old measure of an endpoint's latency loses 63 % of its say. */
export const latencyDecayMs = 10_000;

/** What a failed attempt counts as at least: who fails fast must not seem fast. */
export const failedLatencyMs = 1000;

/** How long an endpoint is left alone after no connection could be made; each further time is twice as long. */
export const firstRestMs = 500;

/** No rest is longer. */
export const restMsMax = 10_000;

/**
 * One address that requests go to. A target whose name stands for several addresses has as many endpoints. An endpoint outlives
 * configurations: it is kept as long as its upstream still has the address, so that an edit keeps what is known of the survivors.
 */
export class Endpoint {
  /** Record ID of the target; `undefined` for the address of a service's own URL. */
  targetId: string | undefined;
  /** `host[:port]` of the target as it is configured: what stands in the `host` header when nothing else is. */
  readonly authority: string;
  readonly address: EndpointAddress;
  /** What health checks think of it. Replaced when checks are switched on or off. */
  health: EndpointHealth = alwaysUsable;
  /** Requests that are on their way to it or have not ended yet. */
  inFlight = 0;
  /**
   * Moving average of the time to the answer's head, in milliseconds, and the monotonic time of the last measure. Not a number before the
   * first answer. Two numbers in an array: as fields each new one would be allocated.
   */
  readonly latency: Float64Array = new Float64Array([Number.NaN, 0]);
  /** Monotonic time until which others are preferred: no connection could be made. 0 when nothing is wrong. */
  restsUntilMs = 0;
  /** How much of its turn it had waited for in the last round robin, 0 to 1; `undefined` before the first. */
  turnPhase: number | undefined;
  /** Told when {@link inFlight} changes. */
  onLoad: (() => void) | undefined;
  #restMs = 0;
  /** When its rest was last made longer. */
  #restedAtMs = 0;
  readonly #source: ClientSource;
  readonly #clients: { readonly connectTimeoutMs: number; readonly client: UpstreamClient }[] = [];

  constructor({ address, authority, clients }: EndpointParts) {
    this.address = address;
    this.authority = authority;
    this.#source = clients;
  }

  /** See {@link latency}; `undefined` before the first answer. */
  get latencyEwmaMs(): number | undefined {
    const [averageMs = Number.NaN] = this.latency;
    return Number.isNaN(averageMs) ? undefined : averageMs;
  }

  /** Its connections for a connect time-out. Made with the first request: most routes of an upstream share one time-out. */
  clientFor(connectTimeoutMs: number): UpstreamClient {
    for (const known of this.#clients) if (known.connectTimeoutMs === connectTimeoutMs) return known.client;
    const client = this.#source.acquire({ ...this.address, connectTimeoutMs });
    this.#clients.push({ connectTimeoutMs, client });
    return client;
  }

  /** A request is about to be sent there. Each call wants one {@link end}. */
  begin(nowMs: number): void {
    this.inFlight += 1;
    this.onLoad?.();
    // One request at a time finds out whether it can be reached again.
    if (this.restsUntilMs !== 0) this.restsUntilMs = nowMs + this.#restMs;
    this.health.begin();
  }

  /** A request is over, or was given up. */
  end(): void {
    this.inFlight -= 1;
    this.onLoad?.();
  }

  /** The head of an answer came. One of this and {@link failed} is called once for each attempt. */
  answered(status: number, latencyMs: number, nowMs: number): void {
    this.restsUntilMs = 0;
    this.#restMs = 0;
    this.#measure(latencyMs, nowMs);
    if (this.health !== alwaysUsable) this.health.observe({ kind: 'answered', status, latencyMs });
  }

  /** An attempt ended without the head of an answer. */
  failed(code: UpstreamFailure['code'], latencyMs: number, nowMs: number): void {
    if (!clientsFaults.has(code)) this.#measure(Math.max(latencyMs, failedLatencyMs), nowMs);
    this.health.observe({ kind: 'failed', code });
  }

  /** No connection could be made: others are preferred for a while. Requests that fail together count once. */
  rest(nowMs: number): void {
    if (this.#restMs === 0 || nowMs - this.#restedAtMs >= this.#restMs) {
      this.#restMs = Math.min(restMsMax, Math.max(firstRestMs, this.#restMs * 2));
      this.#restedAtMs = nowMs;
    }
    this.restsUntilMs = nowMs + this.#restMs;
  }

  /** Its connections are closed once they are idle; requests in flight finish. */
  close(): void {
    for (const { connectTimeoutMs } of this.#clients.splice(0)) {
      this.#source.release({ ...this.address, connectTimeoutMs });
    }
  }

  /** Peak EWMA: a slower answer counts at once, faster ones by and by. */
  #measure(latencyMs: number, nowMs: number): void {
    const before = this.latency[0] ?? 0;
    const share = Math.exp(((this.latency[1] ?? 0) - nowMs) / latencyDecayMs);
    // Neither more nor less than what is not a number: the first measure counts whole.
    this.latency[0] = latencyMs <= before ? before * share + latencyMs * (1 - share) : latencyMs;
    this.latency[1] = nowMs;
  }
}

/** Ends of attempts that say nothing of the endpoint. */
const clientsFaults: ReadonlySet<UpstreamFailure['code']> = new Set([
  'aborted',
  'request_body_failed',
  'request_not_sendable',
]);

/** Stands for the health of an address that nobody checks. */
export const alwaysUsable: EndpointHealth = { usable: true, begin: () => undefined, observe: () => undefined };
