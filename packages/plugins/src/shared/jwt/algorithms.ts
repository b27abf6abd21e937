import type { KeyObject } from 'node:crypto';

/**
 * Algorithms of tokens that are signed with a private key and checked with the public one. `none` and those with a shared secret
 * are not among them. Source: RFC 7518, section 3.1; RFC 8037; RFC 9864 (`Ed25519`).
 */
export const publicKeyAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

/** Algorithms of tokens whose signer and checker share a secret. */
export const sharedSecretAlgorithms = ['HS256', 'HS384', 'HS512'] as const;

/** Fewest bits of an RSA key. Source: RFC 7518, section 3.3. */
export const RSA_BITS_MIN = 2048;

/** Most bits of an RSA key: checking with a longer one costs more than a request should. */
export const RSA_BITS_MAX = 8192;

/** Characters of an algorithm's name in a token, above which it is none of ours. */
export const ALGORITHM_LENGTH_MAX = 16;

/**
 * The algorithms that a key can check tokens of; none for a key that is too short or of a kind that has none. An elliptic curve
 * belongs to exactly one. Source: RFC 7518, section 3.4; RFC 8725, section 3.1.
 */
export function algorithmsOfKey(key: KeyObject): readonly string[] {
  const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return modulusLength >= RSA_BITS_MIN && modulusLength <= RSA_BITS_MAX ? RSA : [];
    case 'ec':
      return CURVES[namedCurve] ?? [];
    case 'ed25519':
      return EDWARDS;
    default:
      return [];
  }
}

const RSA: readonly string[] = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
const EDWARDS: readonly string[] = ['EdDSA', 'Ed25519'];
const CURVES: Readonly<Record<string, readonly string[]>> = {
  prime256v1: ['ES256'],
  secp384r1: ['ES384'],
  secp521r1: ['ES512'],
};
