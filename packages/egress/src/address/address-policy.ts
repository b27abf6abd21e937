import { isIP } from 'node:net';
import { metadataAddresses } from './metadata-addresses.ts';
import { type Network, NetworkSet } from './network-set.ts';
import { isPublicAddress } from './public-address.ts';

/** What the operator says about addresses. */
export interface AddressRule {
  /** Networks beside the public ones that may be called. Metadata addresses stay refused. Default: none. */
  readonly allowed?: readonly Network[];
  /** What must not be called, whatever `allowed` says: databases, the control plane, own ports. Asked at each call. Default: nothing. */
  readonly refused?: { has(address: string, port: number): boolean };
}

/** `listed`: not because it is public, but because the operator allows it. */
export type AddressVerdict = 'public' | 'listed' | 'refused';

/** Judges literal addresses. Source: decisions, 20. */
export class AddressPolicy {
  static readonly #metadata = new NetworkSet(metadataAddresses.map((address) => ({ address })));
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
    if (this.#allowed.has(address)) return 'listed';
    return isPublicAddress(address) ? 'public' : 'refused';
  }
}
