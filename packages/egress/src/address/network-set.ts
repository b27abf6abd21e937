import { BlockList, isIP } from 'node:net';
import { embeddedIpv4 } from './embedded-ipv4.ts';

/** Addresses that share their leading bits, or one alone. */
export interface Network {
  /** Literal; IPv6 without brackets. */
  readonly address: string;
  /** Leading bits that count; all of them when left out. */
  readonly bits?: number;
}

/** A set of addresses. Asking it costs the same for a hundred networks as for one, but for a walk over them. */
export class NetworkSet {
  readonly #list = new BlockList();
  /** What is in the list: it keeps doubles, and whoever adds again what a name stands for would fill it. */
  readonly #added = new Set<string>();

  constructor(networks: readonly Network[] = []) {
    for (const network of networks) this.add(network);
  }

  /** @throws TypeError or RangeError of Node for what is no network */
  add({ address, bits }: Network): void {
    const family = familyOf(address);
    const length = bits ?? (family === 'ipv4' ? 32 : 128);
    const key = `${address}/${length}`;
    if (this.#added.has(key)) return;
    this.#list.addSubnet(address, length, family);
    this.#added.add(key);
  }

  /** Whether a literal address is in it. An IPv4-mapped one is its IPv4 address. */
  has(address: string): boolean {
    return isIP(address) !== 0 && this.#list.check(address, familyOf(address));
  }

  /** Whether a connection to a literal address may end in it: it is in it, or an IPv4 address that it stands for. */
  isReachedBy(address: string): boolean {
    return this.has(address) || embeddedIpv4(address).some((embedded) => this.#list.check(embedded, 'ipv4'));
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
