import { isIP } from 'node:net';
import { embeddedIpv4 } from './embedded-ipv4.ts';
import { metadataAddresses } from './metadata-addresses.ts';
import { type Network, NetworkSet } from './network-set.ts';
import { isPublicAddress } from './public-address.ts';

/** What the operator says about addresses. */
export interface AddressRule {
  /**
   * Networks beside the public ones that may be called. Metadata addresses stay refused. An IPv6 address that stands for an IPv4 address is as free as
   * that one, and no more. Default: none.
   */
  readonly allowed?: readonly Network[];
  /** What must not be called, whatever `allowed` says: databases, the control plane, own ports. Asked at each call. Default: nothing. */
  readonly refused?: { has(address: string, port: number): boolean };
}

/** `listed`: not because it is public, but because the operator allows it. */
export type AddressVerdict = 'public' | 'listed' | 'refused';

/** Judges literal addresses. Source: decisions, 20. */
export class AddressPolicy {
  static readonly #metadata = new NetworkSet(metadataAddresses.map((address) => ({ address })));
  /** They read like IPv4 addresses in IPv6, and are themselves. Source: RFC 4291, 2.5.2 and 2.5.3. */
  static readonly #itself = new NetworkSet([{ address: '::' }, { address: '::1' }]);
  readonly #allowed: NetworkSet;
  readonly #refused: AddressRule['refused'];

  constructor({ allowed = [], refused }: AddressRule = {}) {
    this.#allowed = new NetworkSet(allowed);
    this.#refused = refused;
  }

  /** @param address literal, without brackets; one with a zone (`fe80::1%eth0`) is refused */
  verdict(address: string, port: number): AddressVerdict {
    if (isIP(address) === 0 || address.includes('%')) return 'refused';
    if (AddressPolicy.#metadata.isReachedBy(address) || this.#refused?.has(address, port) === true) return 'refused';
    return this.#listing(address) ?? publicity(address);
  }

  /** What an entry of the list says, if one does. Where one lists a way to IPv4 addresses, such as NAT64, that is what each of them is. */
  #listing(address: string): AddressVerdict | undefined {
    if (!this.#allowed.has(address)) return undefined;
    const ends = AddressPolicy.#itself.has(address) ? [] : endsOf(address);
    if (ends.length === 0) return 'listed';
    const verdicts = ends.map((end): AddressVerdict => (this.#allowed.has(end) ? 'listed' : publicity(end)));
    if (verdicts.includes('refused')) return 'refused';
    return verdicts.includes('public') ? 'public' : 'listed';
  }
}

function publicity(address: string): AddressVerdict {
  return isPublicAddress(address) ? 'public' : 'refused';
}

/** Where a connection to an IPv6 address may end. Where it is open at which place the IPv4 address is, the other place holds zeros. */
function endsOf(address: string): readonly string[] {
  const ends = embeddedIpv4(address);
  const known = ends.filter((end) => end !== '0.0.0.0');
  return known.length === 0 ? ends : known;
}
