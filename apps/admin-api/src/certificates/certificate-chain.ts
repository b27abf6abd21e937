import { X509Certificate } from 'node:crypto';
import { keyStrength } from './key-strength.ts';
import { readPem } from './pem.ts';

/** Certificates that one text may hold: the leaf and its chain. */
export const chainLengthMax = 10;

/** The certificates of a text, leaf first, or the rule that it breaks. */
export type ChainReading =
  | { readonly ok: true; readonly leaf: X509Certificate; readonly chain: readonly X509Certificate[] }
  | { readonly ok: false; readonly message: string };

/**
 * Reads certificates. Each must be issued by the one after it, as TLS sends them; how long they are valid is not looked at,
 * since what has expired or is not valid yet may be stored. Source: wire contract, Certificates; RFC 8446, 4.4.2.
 */
export function readChain(text: string): ChainReading {
  const pem = readPem(text);
  if (!pem.ok) return pem;
  if (pem.blocks.length > chainLengthMax) return refusal(`must hold at most ${chainLengthMax} certificates`);
  const chain: X509Certificate[] = [];
  for (const [index, { label, der }] of pem.blocks.entries()) {
    const place = `certificate ${index + 1}`;
    if (label.endsWith('PRIVATE KEY')) return refusal('holds a private key, which belongs into a field of its own');
    if (label !== 'CERTIFICATE') return refusal(`must hold certificates only, not ${label}`);
    const certificate = parse(der);
    if (!certificate) return refusal(`${place} cannot be read`);
    const strength = strengthOf(certificate);
    if (!strength.ok) return refusal(`${place} ${strength.message}`);
    chain.push(certificate);
  }
  const loose = chain.findIndex((certificate, index) => !isIssuedBy(certificate, chain[index + 1]));
  if (loose >= 0) return refusal(`certificate ${loose + 1} was not issued by certificate ${loose + 2}`);
  const [leaf] = chain;
  return leaf ? { ok: true, leaf, chain } : refusal('holds no certificate');
}

function refusal(message: string): ChainReading {
  return { ok: false, message };
}

/** `undefined` also for bytes after the certificate and for times that are none: the parser would pass over them. */
function parse(der: Buffer): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(der);
    const isTimed = [certificate.validFromDate, certificate.validToDate].every((date) =>
      Number.isFinite(date.getTime()),
    );
    return isTimed && certificate.raw.length === der.length ? certificate : undefined;
  } catch {
    return undefined;
  }
}

function strengthOf(certificate: X509Certificate): ReturnType<typeof keyStrength> {
  try {
    return keyStrength(certificate.publicKey);
  } catch {
    return { ok: false, message: 'has a key that cannot be read' };
  }
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate | undefined): boolean {
  return issuer === undefined || (certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey));
}
