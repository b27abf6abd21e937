import type { AiRecord, Chain, ConsumerDirectory, NamedRecord, Runtime } from '@portcullis/plugin-runtime';
import type { HostTable, RouteRule, RouteTable } from '@portcullis/router';
import type { UpstreamBalancer } from '../balancing/upstream-balancer.ts';
import type { SoonestExpiries } from '../certificates/certificate-expiries.ts';
import type { ServerIdentities } from '../certificates/server-identities.ts';
import type { RouteSeries } from '../observations/route-metrics.ts';
import type { StreamRule } from '../streams/stream-rule.ts';
import type { StreamTable } from '../streams/stream-table.ts';
import type { ProtocolRule } from './protocol-rule.ts';
import type { VaultRecord } from './records.ts';

/** A route with all that a request on it needs; nothing of it is computed per request. */
export interface CompiledRoute extends RouteRule {
  readonly record: NamedRecord;
  readonly service: CompiledService | undefined;
  /** What its protocols ask of requests; `undefined` where it takes all of them. */
  readonly protocolRule: ProtocolRule | undefined;
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
  /** What leads connections to it that are carried byte by byte; absent where none are. */
  readonly stream?: StreamRule | undefined;
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

/** What a configuration serves with. */
interface ServedParts {
  readonly revision: number;
  readonly hash: string;
  readonly tenantId: string;
  readonly gateway: NamedRecord;
  readonly workspaceId: string | undefined;
  /** The tenant's vaults, with their tokens. */
  readonly vaults: readonly VaultRecord[];
  /** The tenant's AI records, enabled; the same list while none of them changes. */
  readonly aiRecords: readonly AiRecord[];
  /** Hosts that the gateway answers for; `undefined` means all. */
  readonly hosts: HostTable<true> | undefined;
  /** Latencies that requests are compared with, microseconds, ascending. */
  readonly latencyThresholdsUs: readonly number[];
  /** Whether paths may contain `%2F`. */
  readonly allowsEncodedSlashes: boolean;
  readonly router: RouteTable<CompiledRoute>;
  /** Routes of connections that are carried byte by byte. */
  readonly streams: StreamTable<CompiledRoute>;
  /** Who the gateway is in TLS, by server name. */
  readonly serverIdentities: ServerIdentities;
  /** Which certificates end first. */
  readonly certificateExpiries: SoonestExpiries;
  readonly consumers: ConsumerDirectory;
  /** Chain of requests without a route: only its error hooks can run. */
  readonly fallbackChain: Chain | undefined;
  readonly runtime: Runtime;
}

/** What a generation is made of. */
export interface GenerationParts extends ServedParts {
  /** Gives back clients and plugin instances. */
  readonly dispose: () => void;
}

/** One configuration as it is served. Requests hold it while they run; what it took is freed after the last of them. */
export interface Generation extends ServedParts {
  /** A request begins to use it. */
  hold(): void;
  /** A request is over, or another generation took its place. */
  release(): void;
}

/** A generation that one user holds: whoever serves it. */
export function createGeneration({ dispose, ...served }: GenerationParts): Generation {
  let users = 1;
  return {
    ...served,
    hold() {
      users += 1;
    },
    release() {
      users -= 1;
      if (users === 0) dispose();
    },
  };
}
