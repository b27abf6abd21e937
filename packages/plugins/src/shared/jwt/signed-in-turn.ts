import { constants, createHmac, timingSafeEqual, verify, type KeyObject } from 'node:crypto';

/**
 * Whether a compact JWS is signed with a key, found out before this returns. The caller has checked the token's form, and that the
 * algorithm fits the key. Source: RFC 7518, section 3; RFC 8037, section 3.1.
 * @param text three parts of canonical base64url
 */
export function isSignedInTurn(text: string, key: KeyObject, algorithm: string): boolean {
  const end = text.lastIndexOf('.');
  const signed = Buffer.from(text.slice(0, end), 'latin1');
  const signature = Buffer.from(text.slice(end + 1), 'base64url');
  const digest = `sha${algorithm.slice(2)}`;
  try {
    switch (algorithm.slice(0, 2)) {
      case 'HS':
        return key.type === 'secret' && isEqual(createHmac(digest, key).update(signed).digest(), signature);
      case 'RS':
        return verify(digest, signed, key, signature);
      case 'PS':
        return verify(digest, signed, { key, padding, saltLength }, signature);
      case 'ES':
        return verify(digest, signed, { key, dsaEncoding: 'ieee-p1363' }, signature);
      case 'Ed':
        return verify(null, signed, key, signature);
      default:
        return false;
    }
  } catch {
    return false;
  }
}

const padding = constants.RSA_PKCS1_PSS_PADDING;
const saltLength = constants.RSA_PSS_SALTLEN_DIGEST;

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
