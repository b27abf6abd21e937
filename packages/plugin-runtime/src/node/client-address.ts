import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Says who sent a request, and over what. */
export interface ClientAddresses {
  /** The client's address; empty when the socket is gone. */
  ipOf(request: IncomingMessage): string;
  schemeOf(request: IncomingMessage): 'http' | 'https';
  /** Whether the socket's other end is a trusted proxy. */
  isFromTrustedPeer(request: IncomingMessage): boolean;
}

/**
 * Without trusted proxies a client is the socket's other end. What a trusted proxy says counts: the last address of
 * `X-Forwarded-For` that is no trusted proxy itself, and `X-Forwarded-Proto`. Nobody else's such fields are looked at.
 * @param trusted addresses and CIDR ranges
 * @throws TypeError for an entry that is neither
 */
export function clientAddresses(trusted: readonly string[]): ClientAddresses {
  const list = new BlockList();
  for (const entry of trusted) addRange(list, entry);
  const isTrusted = (address: string): boolean => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
  const isFromTrustedPeer = ({ socket }: IncomingMessage): boolean =>
    isTrusted(plainAddress(socket.remoteAddress ?? ''));
  return {
    isFromTrustedPeer,
    ipOf(request) {
      let address = plainAddress(request.socket.remoteAddress ?? '');
      if (!isTrusted(address)) return address;
      const hops = headerText(request, 'x-forwarded-for').split(',');
      for (let hop = hops.pop(); hop !== undefined && isTrusted(address); hop = hops.pop()) {
        const said = hopAddress(hop.trim());
        // What is no address was not written by a proxy that we trust.
        if (isIP(said) === 0) break;
        address = said;
      }
      return address;
    },
    schemeOf(request) {
      const own = 'encrypted' in request.socket && request.socket.encrypted === true ? 'https' : 'http';
      if (!isFromTrustedPeer(request)) return own;
      const said = headerText(request, 'x-forwarded-proto').split(',').pop()?.trim().toLowerCase();
      return said === 'https' || said === 'http' ? said : own;
    },
  };
}

function addRange(list: BlockList, entry: string): void {
  const [address = '', bits, ...more] = entry.split('/');
  const family = isIP(address);
  const bitsMax = family === 6 ? 128 : 32;
  const prefix = bits === undefined ? bitsMax : Number(bits);
  if (family === 0 || more.length > 0 || !/^\d{1,3}$/.test(bits ?? '0') || prefix > bitsMax) {
    throw new TypeError('a trusted proxy is an IP address or a CIDR range');
  }
  list.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4');
}

/** The address of a hop: some proxies write its port too, `192.0.2.1:5678` or `[2001:db8::1]:5678`. */
function hopAddress(hop: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(hop) ?? [];
  return plainAddress(bracketed ?? dotted ?? hop);
}

/** An IPv4 address that a dual-stack socket shows as IPv6, in its own form. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

/** All lines of a field; a proxy may have added one of its own. */
function headerText(request: IncomingMessage, name: string): string {
  const value = request.headers[name] ?? '';
  return typeof value === 'string' ? value : value.join(',');
}
