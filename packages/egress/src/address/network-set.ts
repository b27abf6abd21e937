import { readAddress, wordsOfIpv4, wordsOfIpv6 } from './address-bits.ts';
import { AddressRanges } from './address-ranges.ts';
import { embeddedIpv4 } from './embedded-ipv4.ts';

/** Addresses that share their leading bits, or one alone. */
export interface Network {
  /** Literal; IPv6 without brackets. */
  readonly address: string;
  /** Leading bits that count; all of them when left out. Further bits of the address do not. */
  readonly bits?: number;
}

/**
 * A set of addresses. Asking it costs about the same for ten thousand networks as for one. An IPv4-mapped address, or a network of such
 * (`::ffff:10.0.0.0/104`), is the IPv4 one; an IPv6 network holds no IPv4 address otherwise, `::/0` neither.
 */
export class NetworkSet {
  readonly #ipv4 = new AddressRanges(wordsOfIpv4);
  readonly #ipv6 = new AddressRanges(wordsOfIpv6);

  constructor(networks: readonly Network[] = []) {
    for (const network of networks) this.add(network);
    this.#ipv4.settle();
    this.#ipv6.settle();
  }

  /** @throws RangeError for what is no network */
  add({ address, bits }: Network): void {
    const words = readAddress(address, asked);
    const isIpv6 = address.includes(':');
    const bitsMax = isIpv6 ? 128 : 32;
    const given = bits ?? bitsMax;
    if (words === 0 || !Number.isInteger(given) || given < 0 || given > bitsMax) throw new RangeError('no network');
    const isMapped = isIpv6 && words === wordsOfIpv4;
    // What is wider than all mapped addresses is an IPv6 network.
    if (isMapped && given < mappedBits) this.#ipv6.add(rangeOf(mappedWords(asked), given));
    else if (words === wordsOfIpv6) this.#ipv6.add(rangeOf(asked, given));
    else this.#ipv4.add(rangeOf(asked.subarray(0, wordsOfIpv4), isMapped ? given - mappedBits : given));
  }

  /** Whether a literal address is in it. An IPv4-mapped one is its IPv4 address; a zone does not count. */
  has(address: string): boolean {
    const words = readAddress(address, asked);
    if (words === 0) return false;
    return words === wordsOfIpv4 ? this.#ipv4.has(asked) : this.#ipv6.has(asked);
  }

  /** Whether a connection to a literal address may end in it: it is in it, or an IPv4 address that it stands for. */
  isReachedBy(address: string): boolean {
    return this.has(address) || embeddedIpv4(address).some((embedded) => this.has(embedded));
  }
}

/** Bits that all IPv4-mapped addresses share. */
const mappedBits = 96;

/** The address that is being asked for. One for all: nothing else runs meanwhile. */
const asked = new Uint32Array(wordsOfIpv6);

function mappedWords([ipv4 = 0]: Uint32Array): Uint32Array {
  return Uint32Array.of(0, 0, 0xffff, ipv4);
}

/** All addresses whose first bits are those of this one. */
function rangeOf(address: Uint32Array, bits: number): { readonly first: Uint32Array; readonly last: Uint32Array } {
  const hostMask = (word: number): number => hostBits(Math.min(32, Math.max(0, bits - word * 32)));
  return {
    first: address.map((value, word) => (value & ~hostMask(word)) >>> 0),
    last: address.map((value, word) => (value | hostMask(word)) >>> 0),
  };
}

/** The bits of a word that remain after so many leading ones. */
function hostBits(leading: number): number {
  return leading === 32 ? 0 : 0xffff_ffff >>> leading;
}
