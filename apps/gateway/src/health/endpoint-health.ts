import type { UpstreamTls } from '../transport/upstream-tls.ts';
import type { UpstreamFailure } from '../transport/upstream-transport.ts';
import type { HealthCheckRecord } from './health-check-record.ts';

/** How one attempt at an endpoint ended. */
export type AttemptOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly latencyMs: number }
  | { readonly kind: 'failed'; readonly code: UpstreamFailure['code'] };

/** What health checks think of one endpoint. */
export interface EndpointHealth {
  /** Whether requests may go there now. Read for every choice: a plain field, kept up to date by checks. */
  readonly usable: boolean;
  /**
   * An attempt is about to be sent there. An unhealthy endpoint that recovers by itself is `usable` for one trial at a time,
   * and this takes the trial. Costs nothing for a healthy one.
   */
  begin(): void;
  /** Tells passive checks how an attempt ended. */
  observe(outcome: AttemptOutcome): void;
}

/** State of a target as it is reported. Source: wire contract, Upstreams, targets, health. */
export type TargetHealth = 'HEALTHY' | 'UNHEALTHY' | 'DNS_ERROR' | 'HEALTHCHECKS_OFF';

/** An endpoint for its checks. */
export interface CheckedAddress {
  readonly targetId: string | undefined;
  /** Literal address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Name that the target was given by, for `host` headers and certificates. */
  readonly name: string;
}

/** The watch over one upstream under one configuration. */
export interface UpstreamWatch {
  /** The health of an address: the same object for as long as any configuration has the address under this upstream. */
  of(address: CheckedAddress): EndpointHealth;
  /** The address is no longer one of this watch: its name stands for others now. */
  drop(address: CheckedAddress): void;
  /** The configuration is no longer served. What no other watch has is forgotten, and its checks end. */
  release(): void;
}

/** An upstream as its checks see it. */
export interface WatchedUpstream {
  readonly id: string;
  readonly name: string;
  /** As the record has it; nothing means that no checks are made. */
  readonly healthchecks: HealthCheckRecord | null | undefined;
  /** `host` that probes send in place of the target's own name. */
  readonly hostHeader: string | undefined;
  /** How requests meet it in TLS: probes do it alike. */
  readonly tls?: UpstreamTls | undefined;
}

/** Where upstreams get their checks. Configurations that overlap share what they have in common; the newest settings count. */
export interface HealthPort {
  watch(upstream: WatchedUpstream): UpstreamWatch;
  /**
   * The name of a target cannot be resolved, and there is no earlier address to go on with. Lasts until
   * {@link HealthPort.clearDnsError}, or until the upstream has no watch any more.
   */
  noteDnsError(upstreamId: string, targetId: string, name: string): void;
  clearDnsError(upstreamId: string, targetId: string): void;
}
