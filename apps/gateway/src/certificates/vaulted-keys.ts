import { isSecretReference } from '@portcullis/plugins';
import type { CertificateRecord } from '../configuration/records.ts';
import { whyMissing } from '../secret-references/secret-places.ts';
import type { KnownSecret } from '../secret-references/secret-watch.ts';
import {
  readCertificate,
  type CertificateReading,
  type FieldMistake,
  type ReadCertificate,
} from './read-certificate.ts';

/** What is known of the secret that a reference names. */
export type KnownSecretOf = (reference: string) => KnownSecret;

/** Fields that may name a key in place of holding it. */
const keyFields = ['key', 'key_alt'] as const;

/** The references in a certificate's record. */
export function keyReferences(record: CertificateRecord): readonly string[] {
  return keyFields.flatMap((field) => {
    const text = record[field];
    return typeof text === 'string' && isSecretReference(text) ? [text] : [];
  });
}

/** Reads a certificate with the keys that its record names. What a reference names is never told, and the reference itself is no key. */
export function readVaultedCertificate(
  record: CertificateRecord,
  knownOf: KnownSecretOf,
): CertificateReading<ReadCertificate> {
  const mistakes: FieldMistake[] = [];
  const keys: { key?: string; key_alt?: string } = {};
  for (const field of keyFields) {
    const text = record[field];
    if (typeof text !== 'string' || !isSecretReference(text)) continue;
    const known = knownOf(text);
    if ('secret' in known) keys[field] = known.secret;
    else mistakes.push({ path: [field], message: whyMissing(known.trouble) });
  }
  return mistakes.length > 0 ? { ok: false, mistakes } : readCertificate({ ...record, ...keys });
}
