import { createPrivateKey, hash, X509Certificate, type KeyObject } from 'node:crypto';
import type { CaCertificateRecord, CertificateRecord } from '../configuration/records.ts';

/** A certificate whose keys were found to be its own. */
export interface ReadCertificate extends CertificateRecord {
  /** SHA-256 of the certificates, which say what their keys are: equal where all that is presented is. */
  readonly digest: string;
  /** When the first of its leaves is valid no more, milliseconds since 1970. */
  readonly notAfterMs: number;
}

/** An authority; its text holds that one certificate and nothing else. */
export interface ReadAuthority extends CaCertificateRecord {
  /** SHA-256 of the certificate. */
  readonly digest: string;
}

/** What is wrong with a field. Never says anything of its value. */
export interface FieldMistake {
  readonly path: readonly string[];
  readonly message: string;
}

/** A record with what was read out of it, or its mistakes. */
export type CertificateReading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly mistakes: readonly FieldMistake[] };

/** Reads a certificate, and sees that each key is that of its leaf. The chain is the client's to judge. */
export function readCertificate(record: CertificateRecord): CertificateReading<ReadCertificate> {
  const { cert, key, cert_alt: certAlt, key_alt: keyAlt } = record;
  const mistakes: FieldMistake[] = [];
  const leaves = [readPair({ field: 'cert', text: cert }, { field: 'key', text: key }, mistakes)];
  if (typeof certAlt === 'string' || typeof keyAlt === 'string') {
    const [certificate, alternative] = [certAlt ?? '', keyAlt ?? ''];
    leaves.push(readPair({ field: 'cert_alt', text: certificate }, { field: 'key_alt', text: alternative }, mistakes));
  }
  const [main, alternative] = leaves;
  // OpenSSL keeps one certificate for each type of key: the second would silently replace the first.
  if (main && alternative && main.keyType === alternative.keyType) {
    mistakes.push({ path: ['cert_alt'], message: 'must have a key of another type than cert' });
  }
  if (mistakes.length > 0) return { ok: false, mistakes };
  const digest = hash('sha256', JSON.stringify([cert, certAlt ?? null]));
  const notAfterMs = Math.min(...leaves.map((leaf) => leaf?.notAfterMs ?? Number.NaN));
  return { ok: true, value: { ...record, digest, notAfterMs } };
}

/** Reads an authority. What else stands in its text is not trusted. */
export function readAuthority(record: CaCertificateRecord): CertificateReading<ReadAuthority> {
  const authority = certificateOf(record.cert);
  const message = authority === undefined ? 'is no certificate that can be read' : 'is not that of an authority';
  if (authority?.ca !== true) return { ok: false, mistakes: [{ path: ['cert'], message }] };
  return { ok: true, value: { ...record, cert: authority.toString(), digest: hash('sha256', authority.raw) } };
}

interface Text {
  readonly field: string;
  readonly text: string;
}

interface Leaf {
  readonly keyType: string | undefined;
  readonly notAfterMs: number;
}

function readPair(cert: Text, key: Text, mistakes: FieldMistake[]): Leaf | undefined {
  const leaf = certificateOf(cert.text);
  const privateKey = privateKeyOf(key.text);
  const mistake = (field: string, message: string): void => void mistakes.push({ path: [field], message });
  if (leaf === undefined) mistake(cert.field, 'is no certificate that can be read');
  if (privateKey === undefined) mistake(key.field, 'is no private key that can be read');
  if (leaf === undefined || privateKey === undefined) return undefined;
  if (!leaf.checkPrivateKey(privateKey)) mistake(key.field, `is not the private key of ${cert.field}`);
  return { keyType: privateKey.asymmetricKeyType, notAfterMs: Date.parse(leaf.validTo) };
}

/** The libraries' errors are dropped: what they say of a text is nobody's business. */
function certificateOf(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}

function privateKeyOf(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text);
  } catch {
    return undefined;
  }
}
