import { BlockList, isIP } from 'node:net';

/** A set of network addresses. IPv4 written as IPv6 (`::ffff:10.0.0.1`) counts as IPv4. */
export interface AddressList {
  has(address: string): boolean;
}

/** Builds a list from addresses and CIDR ranges. Gives the entries that are neither. */
export function parseAddressList(
  entries: readonly string[],
): { readonly ok: true; readonly list: AddressList } | { readonly ok: false; readonly invalid: readonly string[] } {
  const list = new BlockList();
  const invalid = entries.filter((entry) => !added(list, entry));
  if (invalid.length > 0) return { ok: false, invalid };
  return {
    ok: true,
    list: {
      has(address) {
        const family = isIP(address);
        return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
      },
    },
  };
}

function added(list: BlockList, entry: string): boolean {
  const [address = '', prefix, more] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || more !== undefined) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (prefix === undefined) {
    list.addAddress(address, family);
    return true;
  }
  const bits = /^[0-9]{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (!(bits <= (version === 4 ? 32 : 128))) return false;
  list.addSubnet(address, bits, family);
  return true;
}
