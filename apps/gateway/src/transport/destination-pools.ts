import type { Egress, EgressConnector } from '@portcullis/egress';
import type { PluginLog } from '@portcullis/plugin-runtime';
import { Http1Client } from './http1-client.ts';
import type { UpstreamClient } from './upstream-transport.ts';

/** Bounds of connections to destinations, and of what is logged about them. */
export const destinationLimits = {
  /** Origins with a pool. One more takes the place of the one that was used least recently. */
  poolsMax: 256,
  connectionsPerTargetMax: 256,
  /** Requests that wait for a connection; one more is refused. */
  waitingPerTargetMax: 256,
  /** Between two lines about refusals of one origin. */
  refusalLineMs: 60_000,
} as const;

/** What the pools need. */
export interface DestinationPorts {
  /** Judges the addresses of each connection. Source: decisions, 20. */
  readonly egress: Pick<Egress, 'connector'>;
  readonly log: PluginLog;
  readonly monotonicMs: () => number;
}

/**
 * Connections to where plugins send requests, kept by origin. They are none of the services': those may lead to addresses that are
 * closed to plugins.
 */
export class DestinationPools {
  readonly #ports: DestinationPorts;
  readonly #limits: Pick<typeof destinationLimits, 'connectionsPerTargetMax' | 'waitingPerTargetMax'>;
  readonly #poolsMax: number;
  /** In the order of their last use. */
  readonly #clients = new Map<string, UpstreamClient>();

  constructor(ports: DestinationPorts, poolsMax: number = destinationLimits.poolsMax) {
    this.#ports = ports;
    this.#limits = destinationLimits;
    this.#poolsMax = poolsMax;
  }

  /**
   * The client of an origin, for one request.
   * @param origin of a destination that the runtime has checked
   */
  clientOf(origin: string, connectTimeoutMs: number): UpstreamClient {
    const key = `${connectTimeoutMs} ${origin}`;
    const known = this.#clients.get(key);
    if (known !== undefined) this.#clients.delete(key);
    const client = known ?? this.#clientFor(origin, connectTimeoutMs);
    this.#clients.set(key, client);
    if (this.#clients.size > this.#poolsMax) this.#dropOldest();
    return client;
  }

  /** Requests in flight finish. */
  close(): void {
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
  }

  #clientFor(origin: string, connectTimeoutMs: number): UpstreamClient {
    const { protocol, hostname, port } = new URL(origin);
    const isTls = protocol === 'https:';
    const address = {
      protocol: isTls ? 'https' : 'http',
      // Certificates and name servers know a whole name without the dot at its end.
      host: hostname.replace(/^\[|\]$|\.$/g, ''),
      port: port === '' ? (isTls ? 443 : 80) : Number(port),
      connectTimeoutMs,
    } as const;
    return new Http1Client(address, this.#connectorFor(origin, connectTimeoutMs), this.#limits);
  }

  /** Tells the operator of refusals: the client learns nothing of addresses. */
  #connectorFor(origin: string, connectTimeoutMs: number): EgressConnector {
    const { egress, log, monotonicMs } = this.#ports;
    const connect = egress.connector(connectTimeoutMs);
    let toldMs = Number.NEGATIVE_INFINITY;
    return (options, callback) =>
      connect(options, (...outcome) => {
        const [error] = outcome;
        if (
          error !== null &&
          'code' in error &&
          error.code === 'refused' &&
          monotonicMs() - toldMs >= destinationLimits.refusalLineMs
        ) {
          toldMs = monotonicMs();
          log.warn('a destination that a plugin chose is refused: see PORTCULLIS_ALLOW_PRIVATE_ADDRESSES', {
            origin,
            error: error.message,
          });
        }
        callback(...outcome);
      });
  }

  #dropOldest(): void {
    const [oldest] = this.#clients;
    if (oldest === undefined) return;
    this.#clients.delete(oldest[0]);
    oldest[1].close();
  }
}
