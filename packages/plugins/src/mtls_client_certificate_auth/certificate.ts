import { X509Certificate } from 'node:crypto';
import { Certificate as ParsedCertificate, type Extension } from 'pkijs';
import { alternativeNamesOf, type AlternativeName } from './alternative-names.ts';
import { readName, type DistinguishedName } from './distinguished-name.ts';

/** Most alternative names, and most parts of a subject or issuer: the parser needs a quarter of a millisecond for each. */
const ALTERNATIVE_NAMES_MAX = 128;
const NAME_PARTS_MAX = 64;

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

/** What a certificate says, taken apart. */
export interface CertificateContent extends Certificate {
  readonly parsed: ParsedCertificate;
  readonly subject: DistinguishedName;
  readonly issuer: DistinguishedName;
  readonly alternativeNames: readonly AlternativeName[];
  /** By object identifier. */
  readonly extensions: ReadonlyMap<string, Extension>;
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

/**
 * Takes a certificate apart, about a millisecond of work. `undefined` when a part has no known form, or an extension stands there twice
 * (RFC 5280, section 4.2 forbids it, and readers would differ on which one counts), and for one with more names than anybody needs.
 */
export function readContent(certificate: Certificate): CertificateContent | undefined {
  try {
    if (hasTooManyNames(certificate)) return undefined;
    const parsed = ParsedCertificate.fromBER(new Uint8Array(certificate.x509.raw));
    const list = parsed.extensions ?? [];
    const extensions = new Map(list.map((extension) => [extension.extnID, extension]));
    const [subject, issuer] = [readName(parsed.subject), readName(parsed.issuer)];
    const alternativeNames = alternativeNamesOf(extensions);
    // The library parses them when they are asked for first, which must not be later than here.
    for (const extension of list) void extension.parsedValue;
    if (extensions.size !== list.length || subject === undefined || issuer === undefined) return undefined;
    if (alternativeNames === undefined) return undefined;
    return { ...certificate, parsed, subject, issuer, alternativeNames, extensions };
  } catch {
    // The libraries throw errors of many kinds for bytes that are no certificate.
    return undefined;
  }
}

/** OpenSSL compares names without regard to case and spaces, and gives nothing at all for an empty one, whatever the types say. */
function looseKey(name: string | undefined): string {
  return (name ?? '').toLowerCase().replace(/\s+/g, '');
}

/** OpenSSL writes one part of a name per line, and a comma at least between two alternative names. */
function hasTooManyNames({ x509 }: Certificate): boolean {
  const names = (x509.subjectAltName ?? '').split(', ').length;
  return names > ALTERNATIVE_NAMES_MAX || [x509.subject, x509.issuer].some(hasTooManyParts);
}

function hasTooManyParts(name: string | undefined): boolean {
  return (name ?? '').split('\n').length > NAME_PARTS_MAX;
}
