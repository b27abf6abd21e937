import { createPublicKey, type KeyObject } from 'node:crypto';
import { isClaims } from '../claims/claim-value.ts';
import { algorithmsOfKey } from './algorithms.ts';
import { KID_LENGTH_MAX } from './compact-token.ts';
import type { IssuerKey } from './key-ring.ts';

/** Most keys of a set. Issuers publish two to ten. */
export const KEYS_MAX = 100;

/** Keys that were read, or why none could be. The reason holds nothing of the text. */
export type ReadKeys =
  | { readonly keys: readonly [IssuerKey, ...IssuerKey[]]; readonly mistake?: undefined }
  | { readonly keys?: undefined; readonly mistake: string };

/** Reads public keys from a text: PEM (public keys, certificates; one or several), a JWK, or a JWK set. */
export function readPublicKeys(text: string): ReadKeys {
  const trimmed = text.trim();
  if (trimmed.startsWith('-----BEGIN ')) return readPem(trimmed);
  const json = parseJson(trimmed);
  if (!isClaims(json)) return { mistake: 'must be PEM, a JWK, a JWK set, or the address of a JWK set' };
  return Array.isArray(json['keys']) ? readKeySet(json['keys']) : readKeySet([json]);
}

/**
 * Reads the keys of a JWK set. Keys that are not for checking signatures, or of a kind that is not known, are left out.
 * Source: RFC 7517, section 5.
 */
export function readKeySet(set: readonly unknown[]): ReadKeys {
  if (set.length > KEYS_MAX) return { mistake: `must have at most ${KEYS_MAX} keys` };
  if (set.some(isSecret)) return { mistake: 'holds a private or shared key: give public keys only' };
  return someOf(set.map(readJwk));
}

function readPem(pem: string): ReadKeys {
  const blocks = pem.match(/-----BEGIN [A-Z0-9 ]+-----[^-]+-----END [A-Z0-9 ]+-----/g) ?? [];
  if (blocks.length > KEYS_MAX) return { mistake: `must have at most ${KEYS_MAX} keys` };
  if (blocks.some((block) => /^-----BEGIN [A-Z0-9 ]*PRIVATE KEY/.test(block))) {
    return { mistake: 'holds a private key: give the public one only' };
  }
  const keys = blocks.map((block) => keyOf(() => createPublicKey(block)));
  return keys.includes(undefined) ? { mistake: UNREADABLE } : someOf(keys);
}

function readJwk(jwk: unknown): IssuerKey | undefined {
  if (!isClaims(jwk) || !isForChecking(jwk)) return undefined;
  const { kid, alg } = jwk;
  const name = typeof kid === 'string' && kid.length <= KID_LENGTH_MAX ? kid : undefined;
  return keyOf(() => createPublicKey({ key: jwk, format: 'jwk' }), name, alg);
}

/** Source: RFC 7517, sections 4.2 and 4.3. */
function isForChecking({ use, key_ops: operations }: Readonly<Record<string, unknown>>): boolean {
  if (use !== undefined && use !== 'sig') return false;
  return operations === undefined || (Array.isArray(operations) && operations.includes('verify'));
}

/** A key with the algorithms that fit it; its own `alg` leaves that one only. */
function keyOf(read: () => KeyObject, kid?: string, alg?: unknown): IssuerKey | undefined {
  try {
    const key = read();
    const algorithms = algorithmsOfKey(key).filter((name) => alg === undefined || name === alg);
    const spki = key.export({ type: 'spki', format: 'der' }).toString('base64');
    return { kid, key, algorithms, identity: JSON.stringify([kid, algorithms, spki]) };
  } catch {
    return undefined;
  }
}

function someOf(keys: readonly (IssuerKey | undefined)[]): ReadKeys {
  const read = keys.filter((key) => key !== undefined);
  const [first, ...more] = read.filter(({ algorithms }) => algorithms.length > 0);
  if (first !== undefined) return { keys: [first, ...more] };
  return { mistake: read.length === 0 ? UNREADABLE : UNUSABLE };
}

/** Parameters of private and shared keys. Source: RFC 7518, sections 6.2.2, 6.3.2 and 6.4.1. */
function isSecret(jwk: unknown): boolean {
  return isClaims(jwk) && (jwk['d'] !== undefined || jwk['k'] !== undefined);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const UNREADABLE = 'holds no public key that can be read';
const UNUSABLE =
  'must be an RSA key of 2048 to 8192 bits, a key on P-256, P-384 or P-521, or an Ed25519 key, for signatures';
