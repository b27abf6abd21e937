import type { Awaitable, HeaderEdit } from '@portcullis/plugin-runtime';
import { andThen } from '../shared/and-then.ts';
import { claimReader, type Claims } from '../shared/claims/claim-value.ts';
import { hasEvery, scopesOf } from '../shared/claims/scopes.ts';
import type { UpstreamHeaders } from '../shared/claims/upstream-headers.ts';
import { publicKeyAlgorithms } from '../shared/jwt/algorithms.ts';
import { identityFacts, type IdentityFacts } from '../shared/identity-facts.ts';
import { audiencesOf } from '../shared/jwt/audience-field.ts';
import { goodUntilMs, type ClaimFault } from '../shared/jwt/claim-rules.ts';
import { readCompactToken, type CompactToken, type FormFault } from '../shared/jwt/compact-token.ts';
import type { IssuerKeys } from '../shared/jwt/issuer-keys.ts';
import { IssuerSignatures, type Signer } from '../shared/jwt/issuer-signatures.ts';
import type { IssuerKey } from '../shared/jwt/key-ring.ts';
import { rememberedUntilMs, type Remembered } from '../shared/jwt/verified-tokens.ts';
import type { Config } from './config.ts';

/** Longest subject, in characters; OpenID Connect allows 255. */
export const SUBJECT_LENGTH_MAX = 256;

/** What a verified token means here. */
export interface VerifiedToken extends Remembered {
  readonly key: IssuerKey;
  readonly subject: string | undefined;
  readonly headers: readonly HeaderEdit[];
  readonly facts: IdentityFacts;
  /** Whether it has every required scope. */
  readonly isEnough: boolean;
}

/** A token whose claims are good, if the issuer really made them. */
export interface ClaimedToken {
  readonly token: CompactToken;
  readonly subject: string | undefined;
  readonly untilMs: number;
}

/** Why a token does not count, whoever signed it. */
export type ReadFault = FormFault | ClaimFault | 'subject';

/** A verified token, or why there is none; see {@link Signer}. */
export type Outcome = VerifiedToken | Exclude<Signer, IssuerKey>;

/** Checks tokens in two steps: what costs nothing and needs no key first, so that junk and old tokens are cheap. */
export interface TokenVerifier {
  read(text: string, nowMs: number): ClaimedToken | ReadFault;
  /** Rejects when there are no keys at all. */
  verify(claimed: ClaimedToken): Awaitable<Outcome>;
}

/** Makes the checks of a config. */
export function tokenVerifier(config: Config, keys: IssuerKeys, upstream: UpstreamHeaders): TokenVerifier {
  const { issuer, required_scopes: scopes = [] } = config;
  const scopeOf = claimReader(config.scope_claim);
  const algorithms: ReadonlySet<string> = new Set(config.algorithms ?? publicKeyAlgorithms);
  const rules = { issuer, audiences: audiencesOf(config.audience) };
  const signatures = new IssuerSignatures(keys);

  const verifiedToken = ({ token, subject, untilMs }: ClaimedToken, key: IssuerKey): VerifiedToken => ({
    key,
    subject,
    headers: upstream.editsFor(token.claims),
    facts: identityFacts(token.claims),
    isEnough: hasEvery(scopesOf(scopeOf(token.claims)), scopes),
    untilMs,
    // Parts of the token are all that an entry holds.
    size: token.text.length,
  });

  return {
    read(text, nowMs) {
      const token = readCompactToken(text);
      if (typeof token === 'string') return token;
      if (!algorithms.has(token.algorithm)) return 'algorithm';
      if (!hasSubjectOrNone(token.claims)) return 'subject';
      const goodMs = goodUntilMs(token.claims, rules, nowMs);
      if (typeof goodMs === 'string') return goodMs;
      const { sub } = token.claims;
      return { token, subject: typeof sub === 'string' ? sub : undefined, untilMs: rememberedUntilMs(goodMs, nowMs) };
    },
    verify: (claimed) =>
      andThen(signatures.signerOf(claimed.token), (signer): Outcome =>
        typeof signer === 'string' ? signer : verifiedToken(claimed, signer),
      ),
  };
}

function hasSubjectOrNone(claims: Claims): boolean {
  if (!Object.hasOwn(claims, 'sub')) return true;
  const { sub } = claims;
  return typeof sub === 'string' && sub !== '' && sub.length <= SUBJECT_LENGTH_MAX;
}
