import { lookup as lookupAddress, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { metadataAddresses, type Network, NetworkSet, type RefusedNetwork, RefusedNetworks } from '@portcullis/egress';

/** An upstream's address is one that this gateway must not call. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  readonly code = 'address_refused';
}

/**
 * Says which addresses upstreams must not have: the cloud's metadata services, the control plane, the gateway's own status port, and what the
 * operator lists: databases, for instance. Source: decisions, 20.
 */
export class AddressGuard {
  readonly #refused: RefusedNetworks;
  readonly #controlPlanePort: number;
  /** Loopback, the unspecified addresses, which lead to loopback, and the interfaces'. */
  readonly #thisMachine: readonly Network[];

  /**
   * @param controlPlane host and port of the control plane; its name is resolved by {@link learn}
   * @param ownAddresses of this machine's interfaces
   * @param more what is refused besides
   */
  constructor(
    controlPlane: { readonly host: string; readonly port: number },
    ownAddresses: readonly string[] = interfaceAddresses(),
    more: readonly RefusedNetwork[] = [],
  ) {
    const own = [...loopback, ...ownAddresses.map((address) => ({ address }))];
    this.#thisMachine = own;
    this.#refused = new RefusedNetworks([...metadataAddresses.map((address) => ({ address })), ...more]);
    this.#controlPlanePort = controlPlane.port;
    this.refuse(controlPlane.host, controlPlane.port);
  }

  /** Takes in the addresses that the control plane's name stands for. */
  learn(addresses: readonly string[]): void {
    for (const address of addresses) this.refuse(address, this.#controlPlanePort);
  }

  /** Refuses a service by its literal address. One on this machine answers under every address of the machine. */
  refuse(address: string, port: number): void {
    if (isIP(address) === 0) return;
    this.#refused.add({ address, port });
    if (new NetworkSet(this.#thisMachine).has(address)) this.refuseOwnPort(port);
  }

  /** Whether a literal address must not be called, in whatever disguise; names are judged by what they resolve to. */
  refuses(address: string, port: number): boolean {
    return this.#refused.has(address, port);
  }

  /** Resolves a name for a connection, without the addresses that are refused. */
  lookupFor(port: number): LookupFunction {
    return (hostname, options, callback) => {
      lookupAddress(hostname, { ...options, all: true }, (error, addresses) => {
        if (error !== null) {
          callback(error, '', 0);
          return;
        }
        const allowed = addresses.filter(({ address }) => !this.refuses(address, port));
        answer(allowed, options.all === true, callback);
      });
    };
  }

  /** Refuses a port of this machine, under whatever address. */
  refuseOwnPort(port: number): void {
    for (const network of this.#thisMachine) this.#refused.add({ ...network, port });
  }
}

/** Refuses what another guard does, and more of its own. */
export class StricterGuard extends AddressGuard {
  readonly #base: Pick<AddressGuard, 'refuses'>;

  constructor(base: Pick<AddressGuard, 'refuses'>) {
    super({ host: '', port: 0 });
    this.#base = base;
  }

  override refuses(address: string, port: number): boolean {
    return this.#base.refuses(address, port) || super.refuses(address, port);
  }
}

const loopback: readonly Network[] = [
  { address: '127.0.0.0', bits: 8 },
  { address: '0.0.0.0', bits: 8 },
  { address: '::' },
  { address: '::1' },
];

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
}

function answer(allowed: LookupAddress[], all: boolean, callback: Parameters<LookupFunction>[2]): void {
  const [first] = allowed;
  if (first === undefined) callback(new AddressRefusedError('the address of the upstream is refused'), '', 0);
  else if (all) callback(null, allowed);
  else callback(null, first.address, first.family);
}
