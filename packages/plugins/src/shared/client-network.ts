import { isIPv6 } from 'node:net';

/** Groups of 16 bits of an IPv6 address, and how many of them name a network: a /64, the least that a customer gets. */
const groupsAll = 8;
const groupsOfNetwork = 4;

/** Networks whose last 32 bits are somebody's IPv4 address: mapped, translated, NAT64. Source: RFC 4291; RFC 2765; RFC 6052. */
const ipv4Prefixes: ReadonlySet<string> = new Set(['0:0:0:0:0:ffff', '0:0:0:0:ffff:0', '64:ff9b:0:0:0:0']);

/**
 * Who a client address counts as. An IPv6 customer has 2^64 addresses at least and may use another one for each request; so they count as
 * one, named by their /64. An IPv4 client that comes under an IPv6 address counts as its IPv4 address. Link-local addresses, which share
 * one /64 whoever has them, and what is no address stand for themselves. Source: RFC 6177; RFC 4291, section 2.5.6.
 * @returns the address, or the first four groups in lower case without leading zeros and `::/64`
 */
export function clientNetwork(address: string): string {
  if (!address.includes(':') || !isIPv6(address) || /^fe[89ab]/i.test(address)) return address;
  const groups = allGroups(address.replace(/%.*$/, ''));
  const isIPv4 = ipv4Prefixes.has(groups.slice(0, -2).map(hex).join(':'));
  return isIPv4
    ? groups.slice(-2).map(twoOctets).join('.')
    : `${groups.slice(0, groupsOfNetwork).map(hex).join(':')}::/64`;
}

/**
 * Where a network lies: the /48 of an IPv6 network, which is what an organisation or a household gets at the most. An IPv4 address
 * stands for itself: those around it belong to others. Source: RFC 6177, section 2.
 * @param network as {@link clientNetwork} gives it
 */
export function clientSite(network: string): string {
  const groups = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+::\/64$/.exec(network)?.[1];
  return groups === undefined ? network : `${groups}::/48`;
}

/** The eight groups of an address, those that `::` stands for written out. */
function allGroups(address: string): readonly number[] {
  const [left = '', right] = address.split('::');
  const before = groupsIn(left);
  if (right === undefined) return before;
  const after = groupsIn(right);
  const between = Array.from({ length: groupsAll - before.length - after.length }, () => 0);
  return [...before, ...between, ...after];
}

/** Groups of a part of an address; its end may be written as an IPv4 address. */
function groupsIn(text: string): readonly number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function hex(group: number): string {
  return group.toString(16);
}

function twoOctets(group: number): string {
  return `${group >> 8}.${group & 0xff}`;
}
