import { BlockList, isIP } from 'node:net';

/** Which peers may say who their client is. Source: decisions, 21. */
export class TrustedProxies {
  readonly #ranges = new BlockList();
  readonly #none: boolean;

  /** @param ranges addresses and CIDR ranges, checked by the settings */
  constructor(ranges: readonly string[]) {
    this.#none = ranges.length === 0;
    for (const range of ranges) {
      const [address = '', bits] = range.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      if (bits === undefined) this.#ranges.addAddress(address, family);
      else this.#ranges.addSubnet(address, Number(bits), family);
    }
  }

  /** Whether a peer is trusted. */
  has(address: string): boolean {
    if (this.#none) return false;
    const version = isIP(address);
    return version !== 0 && this.#ranges.check(address, version === 6 ? 'ipv6' : 'ipv4');
  }

  /**
   * The client's address behind a trusted peer: from the right of `X-Forwarded-For`, the first that is not trusted.
   * @param peer address of the socket
   */
  clientAddress(peer: string, forwardedFor: string): string {
    let client = peer;
    for (const part of forwardedFor.split(',').toReversed()) {
      if (!this.has(client)) return client;
      const address = hopAddress(part.trim());
      if (isIP(address) === 0) return client;
      client = address;
    }
    return client;
  }
}

/** An address without the IPv6 prefix of IPv4 sockets, so that one client has one name. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** The address of a hop: some proxies write its port too, `192.0.2.1:5678` or `[2001:db8::1]:5678`. */
function hopAddress(hop: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(hop) ?? [];
  return plainAddress(bracketed ?? dotted ?? hop);
}
