import type { AddressGuard } from './address-guard.ts';
import { refusingClient, UndiciClient } from './undici-client.ts';
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
  readonly #shared = new Map<string, Shared>();

  constructor(guard: AddressGuard) {
    this.#guard = guard;
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
    if (protocol === 'http' || protocol === 'https') return new UndiciClient({ ...address, protocol }, this.#guard);
    return refusingClient;
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

function keyOf({ protocol, host, port, connectTimeoutMs, servername = '' }: UpstreamAddress): string {
  return `${protocol} ${host} ${port} ${connectTimeoutMs} ${servername}`;
}
