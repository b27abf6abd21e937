import type { KeyObject, X509Certificate } from 'node:crypto';
import { RSASSAPSSParams, type AlgorithmIdentifier } from 'pkijs';

/** Sizes of RSA keys that count, in bits: smaller ones are broken, larger ones only cost time. Source: NIST SP 800-131A, table 2. */
const RSA_BITS_MIN = 2048;
const RSA_BITS_MAX = 8192;

/** Elliptic curves as OpenSSL calls them. */
const CURVES: ReadonlySet<string> = new Set([
  'prime256v1',
  'secp384r1',
  'secp521r1',
  'brainpoolP256r1',
  'brainpoolP384r1',
  'brainpoolP512r1',
]);

/** Whether the key of a certificate is one that it may have today. A key of a kind that OpenSSL does not know is none. */
export function hasStrongKey(certificate: X509Certificate): boolean {
  try {
    return isStrong(certificate.publicKey);
  } catch {
    return false;
  }
}

/** Whether certificates may be signed in this way: with SHA-2, or with an Edwards curve. MD5 and SHA-1 can be forged. */
export function isStrongSignature({ algorithmId, algorithmParams }: AlgorithmIdentifier): boolean {
  if (algorithmId !== RSA_PSS) return SIGNATURES.has(algorithmId);
  try {
    return SHA_2.has(new RSASSAPSSParams({ schema: algorithmParams }).hashAlgorithm.algorithmId);
  } catch {
    return false;
  }
}

function isStrong({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject): boolean {
  if (type === 'ed25519' || type === 'ed448') return true;
  if (type === 'ec') return CURVES.has(details.namedCurve ?? '');
  const { modulusLength = 0 } = details;
  return (type === 'rsa' || type === 'rsa-pss') && modulusLength >= RSA_BITS_MIN && modulusLength <= RSA_BITS_MAX;
}

const RSA_PSS = '1.2.840.113549.1.1.10';

/** RSA, ECDSA, each with SHA-256, SHA-384, SHA-512; Ed25519, Ed448. Source: RFC 4055, RFC 5758, RFC 8410. */
const SIGNATURES: ReadonlySet<string> = new Set([
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
  '1.3.101.112',
  '1.3.101.113',
]);

const SHA_2: ReadonlySet<string> = new Set([
  '2.16.840.1.101.3.4.2.1',
  '2.16.840.1.101.3.4.2.2',
  '2.16.840.1.101.3.4.2.3',
]);
