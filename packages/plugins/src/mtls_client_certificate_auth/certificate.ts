import { X509Certificate } from 'node:crypto';

/** A certificate that OpenSSL could read. Nothing in it is believed yet. */
export interface Certificate {
  readonly x509: X509Certificate;
  /** SHA-256 of the certificate: 64 hex digits in lower case. */
  readonly fingerprint: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** Equal where names are; also for some that are not, since case and spaces are left out. For finding, not for judging. */
  readonly subjectKey: string;
  readonly issuerKey: string;
}

/** Reads one certificate in DER. `undefined` for anything else, and for what has bytes behind the certificate. */
export function readCertificate(der: Uint8Array): Certificate | undefined {
  try {
    const x509 = new X509Certificate(der);
    // PEM would be taken too, and trailing bytes ignored: what was hashed must be what is checked.
    if (!x509.raw.equals(der)) return undefined;
    const [notBeforeMs, notAfterMs] = [Date.parse(x509.validFrom), Date.parse(x509.validTo)];
    if (Number.isNaN(notBeforeMs) || Number.isNaN(notAfterMs)) return undefined;
    const fingerprint = x509.fingerprint256.replaceAll(':', '').toLowerCase();
    const [subjectKey, issuerKey] = [looseKey(x509.subject), looseKey(x509.issuer)];
    return { x509, fingerprint, notBeforeMs, notAfterMs, subjectKey, issuerKey };
  } catch {
    return undefined;
  }
}

/** OpenSSL compares names without regard to case and spaces, and gives nothing at all for an empty one, whatever the types say. */
function looseKey(name: string | undefined): string {
  return (name ?? '').toLowerCase().replace(/\s+/g, '');
}
