import { readAddress } from './address-bits.ts';
import type { Network } from './network-set.ts';

/**
 * Reads an address or a CIDR range, as operators write it: `10.2.0.0/16`, `192.168.7.1`, `fd00:8::/32`, `::ffff:10.0.0.0/104`. No leading
 * zeros (they are octal elsewhere), no zone, no bits set beyond the prefix: what is written is what counts.
 * @returns what is wrong with the text when it is none
 */
export function readNetwork(text: string): Network | string {
  const [address = '', bitsText, ...rest] = text.split('/');
  const isIpv6 = address.includes(':');
  if (rest.length > 0 || address.includes('%') || readAddress(address, words) === 0)
    return 'is neither an address nor a CIDR range';
  const bitsMax = isIpv6 ? 128 : 32;
  if (bitsText !== undefined && (!/^(?:0|[1-9]\d{0,2})$/.test(bitsText) || Number(bitsText) > bitsMax))
    return `has a prefix that is no whole number from 0 to ${bitsMax}`;
  const bits = bitsText === undefined ? bitsMax : Number(bitsText);
  return startsNetwork(address, bits) ? { address, bits } : `has bits set beyond its first ${bits}`;
}

/** Whether all bits after the first ones are zero. Those of a mapped address begin with 80 zeros and 16 ones. */
function startsNetwork(address: string, bits: number): boolean {
  const count = readAddress(address, words);
  const isMapped = count === 1 && address.includes(':');
  if (isMapped && bits < 96) return false;
  const leading = isMapped ? bits - 96 : bits;
  return words.subarray(0, count).every((word, at) => {
    const kept = Math.min(32, Math.max(0, leading - at * 32));
    return kept === 32 || (word & (0xffff_ffff >>> kept)) === 0;
  });
}

const words = new Uint32Array(4);
