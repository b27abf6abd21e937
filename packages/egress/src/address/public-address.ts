import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { embeddedIpv4 } from './embedded-ipv4.ts';

/**
 * Whether an address is one of the public internet and nothing else. IPv6 counts within 2000::/3 alone, which is all that was ever
 * given out; an address that stands for an IPv4 address does not, but for mapped ones, which are that IPv4 address.
 * Source: the special-purpose address registries of IANA (RFC 6890).
 * @param address literal, without brackets and zone
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const plain = ipaddr.process(address);
  if (plain.range() !== 'unicast') return false;
  if (plain instanceof ipaddr.IPv4) return true;
  return ((plain.parts[0] ?? 0) & 0xe000) === 0x2000 && embeddedIpv4(address).length === 0;
}
