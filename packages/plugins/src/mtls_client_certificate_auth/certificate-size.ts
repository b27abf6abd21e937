import type { Certificate } from './certificate.ts';

/** Most alternative names, and most parts of a subject or issuer: more than anybody needs. */
const ALTERNATIVE_NAMES_MAX = 128;
const NAME_PARTS_MAX = 64;

/** Most elements of DER in a certificate: the parser needs up to a tenth of a millisecond for each. */
const ELEMENTS_MAX = 1000;

/** Whether a certificate in DER has more elements than are parsed. Costs no more than reading its bytes. */
export function hasTooManyElements(der: Uint8Array): boolean {
  return elementsIn(der) > ELEMENTS_MAX;
}

/** OpenSSL writes one part of a name per line, and a comma at least between two alternative names. */
export function hasTooManyNames({ x509 }: Pick<Certificate, 'x509'>): boolean {
  const names = (x509.subjectAltName ?? '').split(', ').length;
  return names > ALTERNATIVE_NAMES_MAX || [x509.subject, x509.issuer].some(hasTooManyParts);
}

function hasTooManyParts(name: string | undefined): boolean {
  return (name ?? '').split('\n').length > NAME_PARTS_MAX;
}

/** Elements of DER, those in the values of extensions included: octet strings whose content is DER again. */
function elementsIn(der: Uint8Array, isValue = false): number {
  let count = 0;
  for (let at = 0; at < der.length;) {
    const element = elementAt(der, at);
    // Whoever reads it in another way than DER may find as many as fit.
    if (element === undefined) return count + (der.length - at) / 2;
    const { tag, start, end } = element;
    const isOctets = tag === OCTET_STRING && !isValue;
    const holdsMore = isOctets || (tag & CONSTRUCTED) !== 0;
    count += 1 + (holdsMore ? elementsIn(der.subarray(start, end), isValue || isOctets) : 0);
    at = end;
  }
  return count;
}

const OCTET_STRING = 0x04;
const CONSTRUCTED = 0x20;

/** Source: ITU-T X.690, sections 8.1.2 and 8.1.3; tags of one byte, lengths of four at most. */
function elementAt(der: Uint8Array, at: number) {
  const [tag = 0, length = 0] = der.subarray(at, at + 2);
  const lengthBytes = length < 0x80 ? 0 : length - 0x80;
  if ((tag & 0x1f) === 0x1f || length === 0x80 || lengthBytes > 4) return undefined;
  const start = at + 2 + lengthBytes;
  const content = der.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  const end = start + (lengthBytes === 0 ? length : content);
  return end > der.length ? undefined : { tag, start, end };
}
