/** What a certificate begins with. */
export const BEGIN = '-----BEGIN CERTIFICATE-----';

/**
 * The certificates of a PEM text, in DER. Between them may stand anything but another kind of PEM block. Line ends may be any white space,
 * also none: proxies that put PEM into a header field replace them.
 * @returns `undefined` when there is no certificate, or a block is malformed
 */
export function readPem(text: string): Uint8Array[] | undefined {
  const certificates: Uint8Array[] = [];
  const pieces = text.split(BEGIN);
  for (const piece of pieces.slice(1)) {
    const end = piece.indexOf(END);
    const bytes = end < 0 ? undefined : readBase64(piece.slice(0, end).replace(/\s+/g, ''));
    if (bytes === undefined || piece.includes('-----BEGIN ', end)) return undefined;
    certificates.push(bytes);
  }
  const isOnlyCertificates = certificates.length > 0 && !pieces[0]?.includes('-----BEGIN ');
  return isOnlyCertificates ? certificates : undefined;
}

/** Bytes of base64 with its padding. `undefined` for a text that is not exactly that. */
export function readBase64(text: string): Uint8Array | undefined {
  if (text === '' || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, 'base64');
}

const END = '-----END CERTIFICATE-----';
