import { isIP } from 'node:net';
import type { RefusedNetwork } from './refused-networks.ts';

/**
 * Reads `PORTCULLIS_REFUSED_ADDRESSES`: addresses and CIDR ranges with commas between them, each with or without a port:
 * `10.0.0.5:5432, 10.1.0.0/16, [2001:db8::1]:6379, [2001:db8::/32]:5432, 2001:db8::/32`.
 * @returns `undefined` when one of them is none of that
 */
export function readRefusedNetworks(list: string): readonly RefusedNetwork[] | undefined {
  const items = list.split(',').map((item) => item.trim());
  const networks = items.filter((item) => item !== '').map(refusedNetwork);
  return networks.every((network) => network !== undefined) ? networks : undefined;
}

function refusedNetwork(item: string): RefusedNetwork | undefined {
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(item);
  const plain = /^([\d./]+)(?::(\d{1,5}))?$/.exec(item);
  const [, network = item, portText] = bracketed ?? plain ?? [];
  const [address = '', bitsText, ...rest] = network.split('/');
  const bitsMax = isIP(address) === 4 ? 32 : 128;
  const bits = bitsText === undefined ? bitsMax : Number(bitsText);
  const port = Number(portText ?? 1);
  const isValid =
    isIP(address) !== 0 && rest.length === 0 && bitsText !== '' && bits <= bitsMax && port >= 1 && port <= 65_535;
  if (!isValid || !Number.isInteger(bits)) return undefined;
  return { address, bits, ...(portText !== undefined && { port }) };
}
