import { readCertificate, readContent, type CertificateContent } from './certificate.ts';
import { isAuthority } from './chain-rules.ts';
import { hasStrongKey } from './key-strength.ts';
import { readPem } from './pem.ts';

/**
 * Reads the trusted certificates of one PEM text. They need not be self-signed: an intermediate authority may be trusted without its root.
 * Dates are not looked at: a config does not become wrong by itself.
 * @returns what is wrong with the text, where something is; never a part of it
 */
export function readAuthorities(pem: string): readonly CertificateContent[] | string {
  const certificates = readPem(pem);
  if (certificates === undefined) return 'must be certificates in PEM, and nothing but certificates';
  const authorities: CertificateContent[] = [];
  for (const [index, der] of certificates.entries()) {
    const certificate = readCertificate(der);
    const content = certificate === undefined ? undefined : readContent(certificate);
    const where = certificates.length === 1 ? '' : ` (certificate ${index + 1})`;
    if (content === undefined) return `must be certificates in PEM: one cannot be read${where}`;
    if (!isAuthority(content)) return `must be certificates of authorities; pin others by their fingerprint${where}`;
    if (!hasStrongKey(content.x509)) return `must have strong keys: RSA of 2048 to 8192 bits, a known curve${where}`;
    authorities.push(content);
  }
  return authorities;
}
