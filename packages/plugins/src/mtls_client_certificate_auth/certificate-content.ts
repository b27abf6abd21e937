import { Certificate as ParsedCertificate, type Extension } from 'pkijs';
import type { AlternativeName } from './alternative-names.ts';
import { alternativeNamesOf } from './certificate-alternative-names.ts';
import { readName } from './certificate-name.ts';
import { hasTooManyElements, hasTooManyNames } from './certificate-size.ts';
import type { Certificate } from './certificate.ts';
import type { DistinguishedName } from './distinguished-name.ts';

/** What a certificate says, taken apart. */
export interface CertificateContent extends Certificate {
  readonly parsed: ParsedCertificate;
  readonly subject: DistinguishedName;
  readonly issuer: DistinguishedName;
  readonly alternativeNames: readonly AlternativeName[];
  /** By object identifier. */
  readonly extensions: ReadonlyMap<string, Extension>;
}

/**
 * Takes a certificate apart, about a millisecond of work, some dozens at worst. `undefined` when a part has no known form, or an extension stands there twice
 * (RFC 5280, section 4.2 forbids it, and readers would differ on which one counts), and for one with more names than anybody needs.
 */
export function readContent(certificate: Certificate): CertificateContent | undefined {
  try {
    if (hasTooManyElements(certificate.x509.raw) || hasTooManyNames(certificate)) return undefined;
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
