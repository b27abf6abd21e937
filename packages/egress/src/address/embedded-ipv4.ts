import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The groups of an IPv6 address, 16 bits each. */
type Groups = readonly [number, number, number, number, number, number, number, number];

/**
 * The IPv4 addresses that a connection to an IPv6 address may end at: it is mapped, compatible, translated, of NAT64, 6to4, Teredo
 * or ISATAP. None for IPv4 addresses and for IPv6 addresses that are nothing but that.
 * @param address literal, without brackets
 */
export function embeddedIpv4(address: string): readonly string[] {
  if (!isIPv6(address)) return [];
  const groups = ipaddr.IPv6.parse(address).parts as unknown as Groups;
  const [a, b, c, d, e, f, g, h] = groups;
  const last = ipv4(g, h);
  const isWithin = (...prefix: readonly number[]): boolean => prefix.every((group, at) => groups[at] === group);
  // RFC 4291, 2.5.5: compatible and mapped. RFC 2765, 2.1: translated.
  if (isWithin(0, 0, 0, 0) && ((e === 0 && (f === 0 || f === 0xffff)) || (e === 0xffff && f === 0))) return [last];
  // RFC 6052, 2.1; RFC 8215 leaves open where in its /48 the address is: at the end, or around the octet `u`.
  if (isWithin(0x64, 0xff9b, 0, 0, 0, 0)) return [last];
  if (isWithin(0x64, 0xff9b, 1)) return [last, ipv4(d, ((e & 0xff) << 8) | (f >> 8))];
  // RFC 3056, 2.
  if (a === 0x2002) return [ipv4(b, c)];
  // RFC 4380, 4: the server, and the client with its bits turned over.
  if (isWithin(0x2001, 0)) return [ipv4(c, d), ipv4(g ^ 0xffff, h ^ 0xffff)];
  // RFC 5214, 6.1.
  return f === 0x5efe && (e === 0 || e === 0x200) ? [last] : [];
}

function ipv4(high: number, low: number): string {
  return `${high >> 8}.${high & 0xff}.${low >> 8}.${low & 0xff}`;
}
