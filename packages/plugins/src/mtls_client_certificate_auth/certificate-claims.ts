import type { CertificateContent } from './certificate-content.ts';
import { commonNameOf } from './distinguished-name.ts';
import { writeName } from './name-text.ts';
import type { NameKind } from './alternative-names.ts';

/** What `upstream_headers` may name. */
export const CLAIMS = [
  'subject',
  'issuer',
  'serial',
  'fingerprint',
  'common_name',
  'sans',
  'not_before',
  'not_after',
] as const;

/** What is known of a client by its certificate. */
export type CertificateClaims = Readonly<Record<(typeof CLAIMS)[number], string | readonly string[] | undefined>>;

/** The claims of a certificate. Names as in RFC 4514, times as in RFC 3339, the serial number and the fingerprint in hex. */
export function claimsOf(certificate: CertificateContent): CertificateClaims {
  const { x509, subject, issuer, fingerprint, alternativeNames, notBeforeMs, notAfterMs } = certificate;
  return {
    subject: writeName(subject),
    issuer: writeName(issuer),
    serial: x509.serialNumber.toLowerCase(),
    fingerprint,
    common_name: commonNameOf(subject),
    sans: alternativeNames.flatMap(({ kind, text }) => (text === '' ? [] : `${PREFIXES[kind] ?? kind}:${text}`)),
    not_before: new Date(notBeforeMs).toISOString(),
    not_after: new Date(notAfterMs).toISOString(),
  };
}

const PREFIXES: Readonly<Partial<Record<NameKind, string>>> = { dns: 'DNS', uri: 'URI', ip: 'IP' };
