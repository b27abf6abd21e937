import type { KeyObject } from 'node:crypto';
import type { CertificateKeyType } from '@portcullis/resources';

/** Bits that an RSA key needs. Source: NIST SP 800-131A; browsers take no fewer. */
export const rsaBitsMin = 2048;

/** Curves that TLS 1.3 has, as OpenSSL calls them. Source: RFC 8446, 4.2.3. */
const curves: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

/** What kind of key it is, or why TLS cannot use it. */
export type KeyStrength =
  | { readonly ok: true; readonly type: CertificateKeyType }
  | { readonly ok: false; readonly message: string };

/** Judges a public or private key of a certificate. */
export function keyStrength(key: KeyObject): KeyStrength {
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details } = key;
  switch (kind) {
    case 'rsa':
    case 'rsa-pss': {
      const bits = details?.modulusLength ?? 0;
      if (bits < rsaBitsMin) return { ok: false, message: `has an RSA key of ${bits} bits; it needs ${rsaBitsMin}` };
      return { ok: true, type: 'rsa' };
    }
    case 'ec':
      if (!curves.has(details?.namedCurve ?? '')) {
        return { ok: false, message: 'has a key on a curve other than P-256, P-384 and P-521' };
      }
      return { ok: true, type: 'ecdsa' };
    case 'ed25519':
    case 'ed448':
      return { ok: true, type: kind };
    default:
      return { ok: false, message: 'has a key of a type that TLS certificates do not have' };
  }
}
