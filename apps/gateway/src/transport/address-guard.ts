import { lookup as lookupAddress, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';

/** An upstream's address is one that this gateway must not call. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  readonly code = 'address_refused';
}

/**
 * Says which addresses upstreams must not have: the cloud's metadata services, and the control plane.
 * Source: decisions, 20.
 */
export class AddressGuard {
  readonly #metadata = new BlockList();
  readonly #controlPlane = new BlockList();
  readonly #controlPlanePort: number;
  readonly #ownAddresses: readonly string[];

  /**
   * @param controlPlane host and port of the control plane; its name is resolved by {@link learn}
   * @param ownAddresses of this machine's interfaces
   */
  constructor(
    controlPlane: { readonly host: string; readonly port: number },
    ownAddresses: readonly string[] = interfaceAddresses(),
  ) {
    this.#ownAddresses = ownAddresses;
    this.#metadata.addAddress('169.254.169.254', 'ipv4');
    this.#metadata.addAddress('fd00:ec2::254', 'ipv6');
    this.#controlPlanePort = controlPlane.port;
    this.#addControlPlane(controlPlane.host);
  }

  /** Takes in the addresses that the control plane's name stands for. */
  learn(addresses: readonly string[]): void {
    for (const address of addresses) this.#addControlPlane(address);
  }

  /** Whether a literal address must not be called; names are judged by what they resolve to. */
  refuses(address: string, port: number): boolean {
    const version = isIP(address);
    if (version === 0) return false;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    return (
      this.#metadata.check(address, family) ||
      (port === this.#controlPlanePort && this.#controlPlane.check(address, family))
    );
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

  #addControlPlane(address: string): void {
    const version = isIP(address);
    if (version === 0) return;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    this.#controlPlane.addAddress(address, family);
    const own = new BlockList();
    this.#addThisMachine(own);
    // On this machine it answers under every address of the machine.
    if (own.check(address, family)) this.#addThisMachine(this.#controlPlane);
  }

  /** Loopback, the unspecified addresses, which lead to loopback, and the interfaces'. */
  #addThisMachine(list: BlockList): void {
    list.addSubnet('127.0.0.0', 8, 'ipv4');
    list.addAddress('0.0.0.0', 'ipv4');
    list.addAddress('::', 'ipv6');
    list.addAddress('::1', 'ipv6');
    for (const address of this.#ownAddresses) list.addAddress(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
}

function answer(allowed: LookupAddress[], all: boolean, callback: Parameters<LookupFunction>[2]): void {
  const [first] = allowed;
  if (first === undefined) callback(new AddressRefusedError('the address of the upstream is refused'), '', 0);
  else if (all) callback(null, allowed);
  else callback(null, first.address, first.family);
}
