import type { AddressGuard } from './address-guard.ts';
import { Http2Client } from './http2-client.ts';
import { failingClient, refusingClient } from './failing-client.ts';
import { Http1Client, http1ClientLimits } from './http1-client.ts';
import { failures } from './upstream-failures.ts';
import { TlsFailureLog, type UpstreamLog } from './upstream-log.ts';
import type { UpstreamAddress, UpstreamClient } from './upstream-transport.ts';

interface Shared {
  readonly client: UpstreamClient;
  users: number;
}

/**
 * Clients shared by everything that calls the same address with the same connect time-out, across configurations: a
 * change of the configuration drops no connection of what stays.
 */
export class UpstreamPools {
  readonly #guard: AddressGuard;
  readonly #log: UpstreamLog | undefined;
  readonly #shared = new Map<string, Shared>();

  /** @param log told of TLS connections that do not come about */
  constructor(guard: AddressGuard, log?: UpstreamLog) {
    this.#guard = guard;
    this.#log = log;
  }

  /** The client of an address. Each call wants one {@link release}. */
  acquire(address: UpstreamAddress): UpstreamClient {
    if (this.#guard.refuses(address.host, address.port)) return refusingClient;
    const key = keyOf(address);
    const shared = this.#shared.get(key) ?? { client: this.#clientOf(address), users: 0 };
    shared.users += 1;
    this.#shared.set(key, shared);
    return shared.client;
  }

  #clientOf(address: UpstreamAddress): UpstreamClient {
    const { protocol } = address;
    try {
      if (protocol === 'http' || protocol === 'https') {
        return new Http1Client({ ...address, protocol }, this.#guard, http1ClientLimits, this.#log);
      }
      if (protocol === 'grpc' || protocol === 'grpcs') {
        return new Http2Client({ ...address, protocol }, this.#guard, this.#log);
      }
    } catch {
      // OpenSSL takes neither all keys nor all digests of certificates that could be read.
      new TlsFailureLog(this.#log, address).note('the certificates of the configuration cannot be used');
      return failingClient(failures.tlsFailed);
    }
    return failingClient(failures.noRequests);
  }

  /** Gives a client back. The last one closes its connections once they are idle. */
  release(address: UpstreamAddress): void {
    const key = keyOf(address);
    const shared = this.#shared.get(key);
    if (shared === undefined) return;
    shared.users -= 1;
    if (shared.users > 0) return;
    this.#shared.delete(key);
    shared.client.close();
  }
}

function keyOf({ protocol, host, port, connectTimeoutMs, servername = '', tls }: UpstreamAddress): string {
  return `${protocol} ${host} ${port} ${connectTimeoutMs} ${servername} ${tls?.id ?? ''}`;
}
