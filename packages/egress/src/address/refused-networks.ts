import { type Network, NetworkSet } from './network-set.ts';

/** A network that must not be called, or one port of it: a service. */
export interface RefusedNetwork extends Network {
  /** Every port when left out. */
  readonly port?: number;
}

/** What must not be called, under any of its IPv6 disguises. */
export class RefusedNetworks {
  /** By port; under `undefined` what is refused on all. */
  readonly #sets = new Map<number | undefined, NetworkSet>();

  constructor(networks: readonly RefusedNetwork[] = []) {
    for (const network of networks) this.add(network);
  }

  add({ port, ...network }: RefusedNetwork): void {
    const set = this.#sets.get(port) ?? new NetworkSet();
    this.#sets.set(port, set);
    set.add(network);
  }

  /** @param address literal; names are judged by what they resolve to */
  has(address: string, port: number): boolean {
    return (
      this.#sets.get(undefined)?.isReachedBy(address) === true || this.#sets.get(port)?.isReachedBy(address) === true
    );
  }
}
