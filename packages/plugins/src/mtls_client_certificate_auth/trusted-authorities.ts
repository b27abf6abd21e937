import { hasTooManyElements, hasTooManyNames } from './certificate-size.ts';
import { readCertificate, type Certificate } from './certificate.ts';
import { hasStrongKey } from './key-strength.ts';
import { BEGIN, readPem } from './pem.ts';

/** Most certificates of authorities in one config. */
export const AUTHORITIES_MAX = 100;

/** What is wrong with a list of PEM texts; never a part of one. */
export interface AuthorityIssue {
  /** Which text; `undefined` for all together. */
  readonly index: number | undefined;
  readonly message: string;
}

/** Certificates of authorities, as far as they can be read, and what is wrong with the rest. */
export interface TrustedAuthorities {
  readonly authorities: readonly Certificate[];
  readonly issues: readonly AuthorityIssue[];
}

/**
 * Reads the trusted certificates of PEM texts, about a tenth of a millisecond for each. They need not be self-signed: an intermediate
 * authority may be trusted without its root. Dates are not looked at: a config does not become wrong by itself.
 */
export function readAuthorities(pems: readonly string[]): TrustedAuthorities {
  const count = pems.reduce((sum, pem) => sum + pem.split(BEGIN).length - 1, 0);
  if (count > AUTHORITIES_MAX) {
    const message = `must have at most ${AUTHORITIES_MAX} certificates in all`;
    return { authorities: [], issues: [{ index: undefined, message }] };
  }
  const read = pems.map(readText);
  return {
    authorities: read.flatMap((found) => (typeof found === 'string' ? [] : found)),
    issues: read.flatMap((found, index) => (typeof found === 'string' ? [{ index, message: found }] : [])),
  };
}

function readText(pem: string): readonly Certificate[] | string {
  const certificates = readPem(pem);
  if (certificates === undefined) return 'must be certificates in PEM, and nothing but certificates';
  const authorities: Certificate[] = [];
  for (const [index, der] of certificates.entries()) {
    const authority = readAuthority(der);
    const where = certificates.length === 1 ? '' : ` (certificate ${index + 1})`;
    if (typeof authority === 'string') return `${authority}${where}`;
    authorities.push(authority);
  }
  return authorities;
}

/** What costs least comes first: whoever writes configs may write anything. */
function readAuthority(der: Uint8Array): Certificate | string {
  if (hasTooManyElements(der)) return TOO_MANY_NAMES;
  const certificate = readCertificate(der);
  if (certificate === undefined) return 'must be certificates in PEM: one cannot be read';
  if (hasTooManyNames(certificate)) return TOO_MANY_NAMES;
  // OpenSSL goes by basic constraints and key usage, as the rules of chains do.
  if (!certificate.x509.ca) return 'must be certificates of authorities; pin others by their fingerprint';
  if (!hasStrongKey(certificate.x509)) return 'must have strong keys: RSA of 2048 to 8192 bits, a known curve';
  return certificate;
}

const TOO_MANY_NAMES = 'must not have more names than anybody needs';
