import type { Socket } from 'node:net';
import { plainAddress } from '../proxy/trusted-proxies.ts';

/** How many connections one client may have, and whose are not counted. */
export interface AddressBound {
  /** Connections of one address of IPv4, or of one /64 of IPv6. */
  readonly max: number;
  /** Whether an address speaks for many clients, as a proxy does. */
  readonly isExempt: (address: string) => boolean;
}

/** Bounds how many connections each client address has. As many addresses are known as connections are open. */
export class AddressCounts {
  readonly #counts = new Map<string, number>();
  readonly #bound: AddressBound;

  constructor(bound: AddressBound) {
    this.#bound = bound;
  }

  /**
   * Counts a connection until it is closed, whoever carries it.
   * @returns `false` when its address has as many as it may have: it is not counted
   */
  add(socket: Socket, address: string): boolean {
    const plain = plainAddress(address);
    if (this.#bound.isExempt(plain)) return true;
    const key = clientOf(plain);
    const count = this.#counts.get(key) ?? 0;
    if (count >= this.#bound.max) return false;
    this.#counts.set(key, count + 1);
    socket.once('close', () => this.#remove(key));
    return true;
  }

  /** Addresses that are known at present. */
  get size(): number {
    return this.#counts.size;
  }

  #remove(key: string): void {
    const left = (this.#counts.get(key) ?? 1) - 1;
    if (left === 0) this.#counts.delete(key);
    else this.#counts.set(key, left);
  }
}

const networkGroups = 4;

/** Whom an address stands for: who has one address of IPv6 mostly has the whole /64 of it. */
export function clientOf(address: string): string {
  if (!address.includes(':')) return address;
  const [unscoped = ''] = address.toLowerCase().split('%');
  const [before = '', after] = unscoped.split('::');
  const first = before === '' ? [] : before.split(':');
  const last = after === undefined || after === '' ? [] : after.split(':');
  const zeros = after === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last];
  const network = groups.slice(0, networkGroups).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
