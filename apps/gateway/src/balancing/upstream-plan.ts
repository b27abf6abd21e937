import type { HealthCheckRecord } from '../health/health-check-record.ts';
import type { UpstreamTls } from '../transport/upstream-tls.ts';
import type { UpstreamProtocol } from '../transport/upstream-transport.ts';

/** Names of the algorithms. Source: wire contract, Upstreams, targets, health. */
export type Algorithm = 'round-robin' | 'least-connections' | 'consistent-hashing' | 'latency';

/** What of a request is hashed; `name` is that of the header, cookie, parameter or group. */
export type HashInput =
  | { readonly what: 'none' | 'consumer' | 'ip' | 'path' }
  | { readonly what: 'header' | 'query_arg' | 'uri_capture'; readonly name: string }
  | { readonly what: 'cookie'; readonly name: string; readonly path: string };

/** An address with its share, before its name is resolved. */
export interface PlannedTarget {
  readonly id: string | undefined;
  /** Name or address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** `host[:port]`, without the scheme's own port. */
  readonly authority: string;
  /** 0 drains. */
  readonly weight: number;
  /** Failover tier: a higher one is better. */
  readonly priority: number;
}

/** What one upstream, or the URL of one service, asks of balancing. Plain data: plans that say the same are the same. */
export interface UpstreamPlan {
  /** What is known of endpoints is kept under this key, across configurations. */
  readonly key: string;
  /** `upstream` or `service` and the record's ID: plans of one upstream have one, under which they are counted. */
  readonly seriesKey: string;
  /** Record ID; `undefined` for the URL of a service. */
  readonly upstreamId: string | undefined;
  readonly name: string;
  readonly protocol: UpstreamProtocol;
  /** How its endpoints are met in TLS; `undefined` for what the platform does by itself, and where there is no TLS. */
  readonly tls: UpstreamTls | undefined;
  /** Whether nothing may be sent, because something that its TLS refers to is not there. */
  readonly isClosed: boolean;
  readonly hostHeader: string | undefined;
  readonly algorithm: Algorithm;
  /** What is hashed, and what where a request lacks that. */
  readonly hashOn: HashInput;
  readonly hashFallback: HashInput;
  readonly slots: number;
  readonly healthchecks: HealthCheckRecord | undefined;
  readonly targets: readonly PlannedTarget[];
}
