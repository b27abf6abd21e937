import type { VerificationKey } from './verify-signature.ts';

/** A public key of an issuer. */
export interface IssuerKey extends VerificationKey {
  readonly kid: string | undefined;
  /** Same key, same `kid`, same algorithms: same text. */
  readonly identity: string;
}

/** Most keys that are tried for one token. Only keys that share a `kid`, or tokens without one, make it more than one. */
export const TRIES_MAX = 8;

/** The keys of an issuer at one time. */
export class KeyRing {
  readonly #byKid: ReadonlyMap<string | undefined, readonly IssuerKey[]>;
  readonly #keys: ReadonlySet<IssuerKey>;

  /** @param previous its keys that are still there stay the same objects, and what they verified stays verified */
  constructor(keys: readonly IssuerKey[], previous?: KeyRing) {
    const known = new Map(Array.from(previous?.keys ?? [], (key) => [key.identity, key]));
    this.#keys = new Set(keys.map((key) => known.get(key.identity) ?? key));
    this.#byKid = Map.groupBy(this.#keys, ({ kid }) => kid);
  }

  get keys(): ReadonlySet<IssuerKey> {
    return this.#keys;
  }

  /** Whether a key is still one of the issuer's. */
  has(key: IssuerKey): boolean {
    return this.#keys.has(key);
  }

  /**
   * The keys that may have signed a token: those of its `kid`, else those that have no `kid` of their own; all for a token that
   * names none. In each case only those that fit the algorithm.
   */
  candidates(algorithm: string, kid: string | undefined): readonly IssuerKey[] {
    const named = kid === undefined ? [...this.#keys] : (this.#named(kid) ?? []);
    return named.filter(({ algorithms }) => algorithms.includes(algorithm)).slice(0, TRIES_MAX);
  }

  /** Whether a key may be meant by the `kid` of a token, of whatever algorithm. */
  knows(kid: string | undefined): boolean {
    return kid === undefined || this.#named(kid) !== undefined;
  }

  #named(kid: string): readonly IssuerKey[] | undefined {
    return this.#byKid.get(kid) ?? this.#byKid.get(undefined);
  }
}
