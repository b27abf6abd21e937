import { isIP } from 'node:net';
import { CallTime } from '../call-time.ts';
import { EgressError } from '../egress-error.ts';
import { egressLimits } from '../egress-limits.ts';
import type { AddressPolicy } from './address-policy.ts';

/**
 * Finds out what a name stands for: literal addresses, IPv6 without brackets.
 * @param name lower case, ASCII, without a dot at its end; never a literal address
 * @throws when there is none. Its error's `code` is told, no more of it.
 */
export type NameLookup = (name: string) => Promise<readonly string[]>;

/** An address that may be called. */
export interface VettedAddress {
  readonly address: string;
  readonly family: 4 | 6;
  readonly port: number;
}

/** Turns hosts into addresses that may be called. Nobody else here knows names: what connects gets addresses, and no name. */
export class VettedAddresses {
  readonly #policy: AddressPolicy;
  readonly #lookup: NameLookup;
  /** Questions that are out. Whoever asks meanwhile gets the same answer. */
  readonly #asked = new Map<string, Promise<readonly string[]>>();
  /** Look-ups that have not settled, also of questions that nobody waits for any more: they still hold what they hold. */
  #lookups = 0;

  constructor(policy: AddressPolicy, lookup: NameLookup) {
    this.#policy = policy;
    this.#lookup = lookup;
  }

  /**
   * @param host name or literal address, as `CallTarget` has it
   * @param isListedOnly leaves public addresses out, but for those that the operator lists
   * @returns at least one, in the order of the answer
   * @throws EgressError `refused`, `unreachable` or the reason of `signal`
   */
  async of(host: string, port: number, isListedOnly = false, signal?: AbortSignal): Promise<readonly VettedAddress[]> {
    const found = isIP(host) === 0 ? await this.#ask(host, signal) : [host];
    const vetted = found.slice(0, egressLimits.addressesMax).filter((address) => {
      const verdict = this.#policy.verdict(address, port);
      return verdict === 'listed' || (verdict === 'public' && !isListedOnly);
    });
    if (vetted.length > 0) return vetted.map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4, port }));
    const why = isListedOnly ? 'is none that may be called without TLS' : 'is none that the operator allows';
    throw new EgressError('refused', `the call was refused: its address ${why}`);
  }

  async #ask(name: string, signal?: AbortSignal): Promise<readonly string[]> {
    const time = new CallTime(egressLimits.lookupTimeoutMs, signal);
    try {
      const found = await time.race(this.#asked.get(name) ?? this.#askNow(name));
      if (found.length > 0) return found;
      throw new EgressError('unreachable', 'the name stands for no address');
    } finally {
      time.end();
    }
  }

  #askNow(name: string): Promise<readonly string[]> {
    if (this.#lookups >= egressLimits.lookupsMax)
      return Promise.reject(new EgressError('unreachable', 'the name cannot be resolved: too many are being resolved'));
    // A question that never settles would be joined for ever.
    const time = new CallTime(egressLimits.lookupTimeoutMs);
    const answer = time.race(this.#look(name)).catch((error: unknown) => {
      const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      throw new EgressError('unreachable', `the name cannot be resolved${code}`);
    });
    this.#asked.set(name, answer);
    const forget = (): void => {
      time.end();
      this.#asked.delete(name);
    };
    answer.then(forget, forget);
    return answer;
  }

  async #look(name: string): Promise<readonly string[]> {
    this.#lookups += 1;
    try {
      return await this.#lookup(name);
    } finally {
      this.#lookups -= 1;
    }
  }
}
