import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { metadataAddresses } from './metadata-addresses.ts';
import { type Network, NetworkSet } from './network-set.ts';

/** The networks, or what is wrong with each item that is none. */
export type NetworksOutcome =
  | { readonly ok: true; readonly networks: readonly Network[] }
  | { readonly ok: false; readonly mistakes: readonly string[] };

/** More is a list for a firewall: each address that is called is compared with all of them. */
export const networksMax = 256;

/**
 * Reads an operator's list of networks: addresses and CIDR ranges with commas between them, `10.2.0.0/16, 192.168.7.1, fd00:8::/32`.
 * Mistakes name items by their place (`item 2 …`), never by their text.
 */
export function readNetworks(list: string): NetworksOutcome {
  const items = list.split(',').map((item) => item.trim());
  if (items.every((item) => item === '')) return { ok: true, networks: [] };
  if (items.length > networksMax) return { ok: false, mistakes: [`the list is longer than ${networksMax} items`] };
  const read = items.map(readNetwork);
  const mistakes = read.flatMap((item, at) => (typeof item === 'string' ? [`item ${at + 1} ${item}`] : []));
  if (mistakes.length > 0) return { ok: false, mistakes };
  return { ok: true, networks: read.filter((item) => typeof item !== 'string') };
}

/** One network, or what is wrong with it. */
function readNetwork(item: string): Network | string {
  const [address = '', bitsText, ...rest] = item.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return 'is neither an address nor a CIDR range';
  const bitsMax = version === 4 ? 32 : 128;
  if (bitsText !== undefined && (!/^(?:0|[1-9]\d{0,2})$/.test(bitsText) || Number(bitsText) > bitsMax))
    return `has a prefix that is no whole number from 0 to ${bitsMax}`;
  const bits = bitsText === undefined ? bitsMax : Number(bitsText);
  if (address.includes(':') && ipaddr.IPv6.parse(address).isIPv4MappedAddress())
    return 'is IPv4 written as IPv6: write IPv4';
  if (!startsNetwork(address, bits)) return `has bits set beyond its first ${bits}`;
  const isMetadata = bits === bitsMax && new NetworkSet([{ address }]);
  if (isMetadata && metadataAddresses.some((metadata) => isMetadata.has(metadata)))
    return 'is a metadata service of a cloud, which is never allowed';
  return { address, bits };
}

function startsNetwork(address: string, bits: number): boolean {
  const bytes = ipaddr.parse(address).toByteArray();
  return bytes.every((byte, at) => (byte & (0xff >> Math.min(8, Math.max(0, bits - at * 8)))) === 0);
}
