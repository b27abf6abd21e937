/**
 * How the gateway meets an upstream in TLS. Source: wire contract, Gateways, services, routes; Upstreams, targets, health. Plans that say
 * the same have equal values: connections are shared by {@link id}.
 */
export interface UpstreamTls {
  /** Stands for all the rest where connections are looked up: a digest, never key material. */
  readonly id: string;
  /** Whether the certificate must be trusted and name the host. */
  readonly verify: boolean;
  /** Intermediate certificates that the chain may have; no bound when absent. */
  readonly verifyDepth?: number;
  /** Whom to trust, in PEM; the platform's authorities when absent. */
  readonly authorities?: readonly string[];
  /** What the gateway presents when it is asked. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
}
