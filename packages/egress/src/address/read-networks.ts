import ipaddr from 'ipaddr.js';
import { metadataAddresses } from './metadata-addresses.ts';
import { type Network, NetworkSet } from './network-set.ts';
import { readNetwork } from './read-network.ts';

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
  const read = items.map(readItem);
  const mistakes = read.flatMap((item, at) => (typeof item === 'string' ? [`item ${at + 1} ${item}`] : []));
  if (mistakes.length > 0) return { ok: false, mistakes };
  return { ok: true, networks: read.filter((item) => typeof item !== 'string') };
}

/** One network, or what is wrong with it. */
function readItem(item: string): Network | string {
  const network = readNetwork(item);
  if (typeof network === 'string') return network;
  const { address, bits } = network;
  if (address.includes(':') && ipaddr.IPv6.parse(address).isIPv4MappedAddress())
    return 'is IPv4 written as IPv6: write IPv4';
  const isMetadata = bits === (address.includes(':') ? 128 : 32) && new NetworkSet([{ address }]);
  if (isMetadata && metadataAddresses.some((metadata) => isMetadata.has(metadata)))
    return 'is a metadata service of a cloud, which is never allowed';
  return network;
}
