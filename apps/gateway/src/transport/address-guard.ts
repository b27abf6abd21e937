import { lookup as lookupAddress, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';

/** An upstream's address is one that this gateway must not call. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  readonly code = 'address_refused';
}

/** Where clouds tell their machines secrets: AWS, GCP, Azure, Oracle and others; ECS and EKS; Azure; Alibaba; Oracle. */
const metadataAddresses: readonly string[] = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
];

/** Addresses that upstreams must not have: those of a network, or one alone. */
export interface RefusedNetwork {
  /** Literal; IPv6 without brackets. */
  readonly address: string;
  /** Leading bits that count; all of them when left out. */
  readonly bits?: number;
  /** Every port when left out. */
  readonly port?: number;
}

/**
 * Says which addresses upstreams must not have: the cloud's metadata services, the control plane, the gateway's own status port, and what the
 * operator lists: databases, for instance. Source: decisions, 20.
 */
export class AddressGuard {
  /** By port; under `undefined` what is refused on all. */
  readonly #refused = new Map<number | undefined, BlockList>();
  readonly #controlPlanePort: number;
  readonly #ownAddresses: readonly string[];

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
    this.#ownAddresses = ownAddresses;
    for (const address of metadataAddresses) addWithDisguises(this.#listOf(undefined), address);
    this.#controlPlanePort = controlPlane.port;
    this.refuse(controlPlane.host, controlPlane.port);
    for (const { address, bits, port } of more) addWithDisguises(this.#listOf(port), address, bits);
  }

  /** Takes in the addresses that the control plane's name stands for. */
  learn(addresses: readonly string[]): void {
    for (const address of addresses) this.refuse(address, this.#controlPlanePort);
  }

  /** Refuses a service by its literal address. One on this machine answers under every address of the machine. */
  refuse(address: string, port: number): void {
    const version = isIP(address);
    if (version === 0) return;
    addWithDisguises(this.#listOf(port), address);
    const own = new BlockList();
    this.#addThisMachine(own);
    if (own.check(address, version === 4 ? 'ipv4' : 'ipv6')) this.#addThisMachine(this.#listOf(port));
  }

  /** Whether a literal address must not be called; names are judged by what they resolve to. */
  refuses(address: string, port: number): boolean {
    const version = isIP(address);
    if (version === 0) return false;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    const everywhere = this.#refused.get(undefined)?.check(address, family) === true;
    return everywhere || this.#refused.get(port)?.check(address, family) === true;
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
    this.#addThisMachine(this.#listOf(port));
  }

  #listOf(port: number | undefined): BlockList {
    const list = this.#refused.get(port) ?? new BlockList();
    this.#refused.set(port, list);
    return list;
  }

  /** Loopback, the unspecified addresses, which lead to loopback, and the interfaces'. */
  #addThisMachine(list: BlockList): void {
    list.addSubnet('127.0.0.0', 8, 'ipv4');
    list.addSubnet('0.0.0.0', 8, 'ipv4');
    list.addAddress('::', 'ipv6');
    list.addAddress('::1', 'ipv6');
    for (const address of this.#ownAddresses) list.addAddress(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
}

/**
 * An IPv4 address is reached under IPv6 addresses too: mapped (which `BlockList` knows), compatible, translated, through NAT64 and through
 * 6to4. Source: RFC 4291, 2.5.5; RFC 2765, 2.1; RFC 6052, 2.1; RFC 3056, 2.
 */
function addWithDisguises(list: BlockList, address: string, bits?: number): void {
  if (isIP(address) === 6) {
    list.addSubnet(address, bits ?? 128, 'ipv6');
    return;
  }
  const length = bits ?? 32;
  list.addSubnet(address, length, 'ipv4');
  for (const prefix of ['::', '::ffff:0:', '64:ff9b::']) list.addSubnet(`${prefix}${address}`, 96 + length, 'ipv6');
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  list.addSubnet(`2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::`, 16 + length, 'ipv6');
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
