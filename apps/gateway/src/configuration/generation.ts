import type { Chain, ConsumerDirectory, NamedRecord, Runtime } from '@portcullis/plugin-runtime';
import type { HostTable, RouteRule, RouteTable } from '@portcullis/router';
import type { UpstreamBalancer } from '../balancing/upstream-balancer.ts';
import type { RouteSeries } from '../observations/route-metrics.ts';
import type { VaultRecord } from './records.ts';

/** A route with all that a request on it needs; nothing of it is computed per request. */
export interface CompiledRoute extends RouteRule {
  readonly record: NamedRecord;
  readonly service: CompiledService | undefined;
  /** What a request in cleartext is answered with; `undefined` where the route takes those. */
  readonly plainStatus: number | undefined;
  readonly stripPath: boolean;
  readonly preserveHost: boolean;
  /** Whether a request's body is whole before the upstream is called, and an answer before the client gets it. */
  readonly holdsRequests?: boolean;
  readonly holdsAnswers?: boolean;
  readonly balancer: UpstreamBalancer | undefined;
  readonly connectTimeoutMs: number;
  readonly readTimeoutMs: number;
  readonly writeTimeoutMs: number;
  /** `undefined` when no hook can run for the route. */
  readonly chain: Chain | undefined;
  readonly series: RouteSeries;
}

/** A service as its routes use it. */
export interface CompiledService {
  readonly record: NamedRecord;
  /** Path of the service's URL; `/` for an upstream. */
  readonly path: string;
  /** Host that upstreams get in place of their own address. */
  readonly hostHeader: string | undefined;
  readonly retries: number;
}

/** One configuration as it is served. Requests hold it while they run; what it took is freed after the last of them. */
export class Generation {
  readonly revision: number;
  readonly hash: string;
  readonly tenantId: string;
  readonly gateway: NamedRecord;
  readonly workspaceId: string | undefined;
  /** The tenant's vaults, with their tokens. */
  readonly vaults: readonly VaultRecord[];
  /** Hosts that the gateway answers for; `undefined` means all. */
  readonly hosts: HostTable<true> | undefined;
  /** Whether paths may contain `%2F`. */
  readonly allowsEncodedSlashes: boolean;
  readonly router: RouteTable<CompiledRoute>;
  readonly consumers: ConsumerDirectory;
  /** Chain of requests without a route: only its error hooks can run. */
  readonly fallbackChain: Chain | undefined;
  readonly runtime: Runtime;
  readonly #dispose: () => void;
  #users = 1;

  constructor(parts: GenerationParts) {
    this.revision = parts.revision;
    this.hash = parts.hash;
    this.tenantId = parts.tenantId;
    this.gateway = parts.gateway;
    this.workspaceId = parts.workspaceId;
    this.vaults = parts.vaults;
    this.hosts = parts.hosts;
    this.allowsEncodedSlashes = parts.allowsEncodedSlashes;
    this.router = parts.router;
    this.consumers = parts.consumers;
    this.fallbackChain = parts.fallbackChain;
    this.runtime = parts.runtime;
    this.#dispose = parts.dispose;
  }

  /** A request begins to use it. */
  hold(): void {
    this.#users += 1;
  }

  /** A request is over, or another generation took its place. */
  release(): void {
    this.#users -= 1;
    if (this.#users === 0) this.#dispose();
  }
}

/** What a generation is made of. */
export interface GenerationParts {
  readonly revision: number;
  readonly hash: string;
  readonly tenantId: string;
  readonly gateway: NamedRecord;
  readonly workspaceId: string | undefined;
  readonly vaults: readonly VaultRecord[];
  readonly hosts: HostTable<true> | undefined;
  readonly allowsEncodedSlashes: boolean;
  readonly router: RouteTable<CompiledRoute>;
  readonly consumers: ConsumerDirectory;
  readonly fallbackChain: Chain | undefined;
  readonly runtime: Runtime;
  /** Gives back clients and plugin instances. */
  readonly dispose: () => void;
}
