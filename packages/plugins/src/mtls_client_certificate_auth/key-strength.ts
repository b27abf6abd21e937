import type { KeyObject, X509Certificate } from 'node:crypto';

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

function isStrong({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject): boolean {
  if (type === 'ed25519' || type === 'ed448') return true;
  if (type === 'ec') return CURVES.has(details.namedCurve ?? '');
  const { modulusLength = 0 } = details;
  return (type === 'rsa' || type === 'rsa-pss') && modulusLength >= RSA_BITS_MIN && modulusLength <= RSA_BITS_MAX;
}
