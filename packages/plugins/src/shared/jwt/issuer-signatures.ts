import type { Awaitable } from '@portcullis/plugin-runtime';
import { andThen } from '../and-then.ts';
import type { CompactToken } from './compact-token.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import type { IssuerKey, KeyRing } from './key-ring.ts';
import { SignatureChecks } from './verify-signature.ts';

/** Why no key of the issuer signed a token: none has its `kid`, none of that name fits its algorithm, or another key signed it. */
export type SignatureFault = 'unknown_key_id' | 'algorithm' | 'signature';

/** A key of the issuer, or why it is none; `unknown` when the token's key is not known and the issuer cannot be asked. */
export type Signer = IssuerKey | SignatureFault | 'unknown';

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
      return renewal === 'current' ? unfitting(seen, token) : 'unknown';
    });
  }

  #signerIn(ring: KeyRing, token: CompactToken): Awaitable<Signer> {
    const candidates = ring.candidates(token.algorithm, token.kid);
    return andThen(
      this.#checks.signingKey(token, candidates),
      (key): Signer => key ?? (candidates.length > 0 ? 'signature' : unfitting(ring, token)),
    );
  }
}

/** Why none of the keys may have signed a token. */
function unfitting(ring: KeyRing, { kid }: CompactToken): SignatureFault {
  return ring.knows(kid) ? 'algorithm' : 'unknown_key_id';
}
