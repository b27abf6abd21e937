import { BlockList, isIP } from 'node:net';
import { plainAddress } from '../proxy/trusted-proxies.ts';

/** One end of a connection as a route states it: an address or a range of them, a port, or both. */
export interface StatedEnd {
  readonly ip?: string | null | undefined;
  readonly port?: number | null | undefined;
}

/** Ends of connections, compiled: whether an address and port is one of them costs the same whatever their number. */
export class EndSet {
  /** Ports that are taken from any address. */
  readonly #ports = new Set<number>();
  readonly #anyPort = new BlockList();
  #hasAnyPort = false;
  readonly #byPort = new Map<number, BlockList>();

  /**
   * @param ends alternatives; the control plane has checked them
   * @throws RangeError for an address that is none
   */
  constructor(ends: readonly StatedEnd[]) {
    for (const { ip, port } of ends) {
      if (typeof ip !== 'string') {
        if (typeof port === 'number') this.#ports.add(port);
        continue;
      }
      let ranges = this.#anyPort;
      if (typeof port === 'number') {
        ranges = this.#byPort.get(port) ?? new BlockList();
        this.#byPort.set(port, ranges);
      } else this.#hasAnyPort = true;
      addRange(ranges, ip);
    }
  }

  /**
   * The only ports that an end of the set can have.
   * @returns `undefined` when one may have any
   */
  get ports(): readonly number[] | undefined {
    return this.#hasAnyPort ? undefined : [...new Set([...this.#ports, ...this.#byPort.keys()])];
  }

  /** @param address literal; an IPv4 address may be given in the form of IPv6 sockets */
  has(address: string, port: number): boolean {
    if (this.#ports.has(port)) return true;
    const ranges = this.#byPort.get(port);
    if (ranges === undefined && !this.#hasAnyPort) return false;
    const plain = plainAddress(address);
    const version = isIP(plain);
    if (version === 0) return false;
    const family = version === 6 ? 'ipv6' : 'ipv4';
    return ranges?.check(plain, family) === true || (this.#hasAnyPort && this.#anyPort.check(plain, family));
  }
}

function addRange(ranges: BlockList, range: string): void {
  const [address = '', bits] = range.split('/');
  const version = isIP(address);
  const prefix = bits === undefined ? undefined : Number(bits);
  const isWhole =
    prefix === undefined || (Number.isInteger(prefix) && prefix >= 0 && prefix <= (version === 6 ? 128 : 32));
  if (version === 0 || !isWhole) throw new RangeError('must be an address, or a range of them as address/bits');
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (prefix === undefined) ranges.addAddress(address, family);
  else ranges.addSubnet(address, prefix, family);
}
