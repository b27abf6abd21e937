import type { Awaitable } from '@portcullis/plugin-runtime';
import { andThen } from '../and-then.ts';
import type { CompactToken } from './compact-token.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import type { IssuerKey, KeyRing } from './key-ring.ts';
import { SignatureChecks } from './verify-signature.ts';

/** A key of the issuer; `invalid` when none signed the token; `unknown` when its key is not known and the issuer cannot be asked. */
export type Signer = IssuerKey | 'invalid' | 'unknown';

/** Finds out which of an issuer's keys signed a token. */
export class IssuerSignatures {
  readonly #keys: IssuerKeys;
  readonly #checks = new SignatureChecks();

  constructor(keys: IssuerKeys) {
    this.#keys = keys;
  }

  /** Rejects when there are no keys at all. */
  signerOf(token: CompactToken): Awaitable<Signer> {
    const ring = this.#keys.current();
    if (ring === undefined) return andThen(this.#keys.loaded(), (loaded) => this.#signerIn(loaded, token));
    return ring.candidates(token.algorithm, token.kid).length > 0
      ? this.#signerIn(ring, token)
      : this.#signerOfNewer(ring, token);
  }

  /** No known key may have signed the token: what the issuer says now counts. */
  #signerOfNewer(seen: KeyRing, token: CompactToken): Awaitable<Signer> {
    return andThen(this.#keys.renewed(seen), (renewal): Awaitable<Signer> => {
      if (typeof renewal !== 'string') return this.#signerIn(renewal.ring, token);
      return renewal === 'current' ? 'invalid' : 'unknown';
    });
  }

  #signerIn(ring: KeyRing, token: CompactToken): Awaitable<Signer> {
    const candidates = ring.candidates(token.algorithm, token.kid);
    return andThen(this.#checks.signingKey(token, candidates), (key): Signer => key ?? 'invalid');
  }
}
