import { createHash } from 'node:crypto';
import type { X509Certificate } from 'node:crypto';
import { toTimestamp } from '../resources/record-view.ts';

/** SHA-256 of a certificate, lower-case hex. */
export function digestOf(certificate: X509Certificate): string {
  return createHash('sha256').update(certificate.raw).digest('hex');
}

/** From when until when a certificate is valid, as the wire shows times. */
export function validityOf(certificate: X509Certificate): { readonly not_before: string; readonly not_after: string } {
  return {
    not_before: toTimestamp(certificate.validFromDate.getTime()),
    not_after: toTimestamp(certificate.validToDate.getTime()),
  };
}

/**
 * A name in one line. The library gives one attribute a line, the widest first; RFC 4514, 2.1 has them the other way round
 * with commas between. It escapes line breaks and commas inside values by itself.
 */
export function distinguishedName(lines: string | undefined): string {
  return (lines ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .toReversed()
    .join(',');
}
