import type { Awaitable, ConsumerDirectory, HeaderEdit, JwtCredential } from '@portcullis/plugin-runtime';
import { andThen } from '../shared/and-then.ts';
import { claimReader } from '../shared/claims/claim-value.ts';
import { hasEvery, scopesOf } from '../shared/claims/scopes.ts';
import type { UpstreamHeaders } from '../shared/claims/upstream-headers.ts';
import { audiencesOf } from '../shared/jwt/audience-field.ts';
import { goodUntilMs, type ClaimFault } from '../shared/jwt/claim-rules.ts';
import { readCompactToken, type CompactToken, type FormFault } from '../shared/jwt/compact-token.ts';
import { rememberedUntilMs, type Remembered } from '../shared/jwt/verified-tokens.ts';
import { SignatureChecks, type VerificationKey } from '../shared/jwt/verify-signature.ts';
import type { Config } from './config.ts';
import type { KeyOfCredential } from './credential-keys.ts';

/** Longest name of a credential in a token, in characters. Source: wire contract, `key` of JWT credentials. */
const KEY_NAME_LENGTH_MAX = 256;

/** What a verified token means here. */
export interface VerifiedToken extends Remembered {
  /** What the token calls its credential. */
  readonly keyName: string;
  readonly credential: JwtCredential;
  readonly headers: readonly HeaderEdit[];
  /** Whether it has every required scope. */
  readonly isEnough: boolean;
}

/** A token whose claims are good, if the consumer really made them. */
export interface ClaimedToken {
  readonly token: CompactToken;
  readonly keyName: string;
  readonly credential: JwtCredential;
  readonly key: VerificationKey;
  readonly untilMs: number;
}

/** Why no credential counts: the token names none, or one that the tenant does not have, or one whose time is over. */
export type CredentialFault = 'no_issuer' | 'unknown_issuer' | 'credential_expired';

/** Why a token does not count, whoever signed it. `unusable_credential`: its key does not fit its algorithm. */
export type ReadFault = FormFault | ClaimFault | CredentialFault | 'unusable_credential';

/** Checks tokens in two steps: what costs nothing first, the signature last. */
export interface TokenVerifier {
  read(text: string, consumers: ConsumerDirectory, nowMs: number): ClaimedToken | ReadFault;
  /** @returns `signature` when the credential's key did not sign it */
  verify(claimed: ClaimedToken): Awaitable<VerifiedToken | 'signature'>;
}

/** Makes the checks of a config. */
export function tokenVerifier(config: Config, keyOf: KeyOfCredential, upstream: UpstreamHeaders): TokenVerifier {
  const { claims_to_verify: required, required_scopes: scopes = [] } = config;
  const scopeOf = claimReader(config.scope_claim);
  const rules = {
    audiences: audiencesOf(config.audience),
    required,
    lifetimeMaxSeconds: config.maximum_expiration_seconds,
  };
  const checks = new SignatureChecks();

  const verifiedToken = ({ token, keyName, credential, untilMs }: ClaimedToken): VerifiedToken => ({
    keyName,
    credential,
    headers: upstream.editsFor(token.claims),
    isEnough: hasEvery(scopesOf(scopeOf(token.claims)), scopes),
    untilMs,
    // Parts of the token are all that an entry holds.
    size: token.text.length,
  });

  return {
    read(text, consumers, nowMs) {
      const token = readCompactToken(text);
      if (typeof token === 'string') return token;
      const goodMs = goodUntilMs(token.claims, rules, nowMs);
      if (typeof goodMs === 'string') return goodMs;
      const keyName = keyNameOf(token, config.key_claim_name);
      if (keyName === undefined) return 'no_issuer';
      const credential = liveCredential(consumers, keyName, nowMs);
      if (typeof credential === 'string') return credential;
      const key = keyOf(credential);
      if (key === undefined) return 'unusable_credential';
      if (!key.algorithms.includes(token.algorithm)) return 'algorithm';
      return { token, keyName, credential, key, untilMs: rememberedUntilMs(goodMs, nowMs) };
    },
    verify: (claimed) =>
      andThen(checks.signingKey(claimed.token, [claimed.key]), (key) => (key ? verifiedToken(claimed) : 'signature')),
  };
}

/** The credential of a name, or why it does not count. The same object as before means that nothing about it has changed. */
export function liveCredential(
  consumers: ConsumerDirectory,
  name: string,
  nowMs: number,
): JwtCredential | CredentialFault {
  const credential = consumers.findJwt(name);
  if (credential === undefined) return 'unknown_issuer';
  const { expiresAtMs } = credential.match;
  return expiresAtMs === undefined || nowMs < expiresAtMs ? credential : 'credential_expired';
}

/** A claim of that name, or else a parameter of the header, such as `kid`. */
function keyNameOf({ claims, header }: CompactToken, name: string): string | undefined {
  const found = Object.hasOwn(claims, name) ? claims[name] : Object.hasOwn(header, name) ? header[name] : undefined;
  return typeof found === 'string' && found !== '' && found.length <= KEY_NAME_LENGTH_MAX ? found : undefined;
}
