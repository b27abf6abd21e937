import { isIP } from 'node:net';
import type { AddressList } from './address-list.ts';

/** How many hops of a forwarding header are looked at. */
const hopsMax = 32;

/**
 * The caller's address: the socket's, or, when that is a trusted proxy, the first address of `X-Forwarded-For` from
 * the right that is no trusted proxy. Source: decisions, 21.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: AddressList,
): string {
  let address = plainAddress(socketAddress ?? '');
  const hops = (forwardedFor ?? '').split(',').slice(-hopsMax);
  while (trustedProxies.has(address)) {
    const hop = hopAddress(hops.pop()?.trim() ?? '');
    if (isIP(hop) === 0) return address;
    address = hop;
  }
  return address;
}

/** IPv4 that a dual-stack socket shows as IPv6, written as IPv4. */
function plainAddress(address: string): string {
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1];
  return mapped !== undefined && isIP(mapped) === 4 ? mapped : address;
}

/** The address of a hop: some proxies write its port too, `192.0.2.1:5678` or `[2001:db8::1]:5678`. */
function hopAddress(hop: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(hop) ?? [];
  return plainAddress(bracketed ?? dotted ?? hop);
}
