import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { bits, boolean, context, integer, octets, oid, sequence, set, time, utf8, der } from './der.ts';

/** A certificate with its key. */
export interface MadeCertificate {
  readonly der: Uint8Array;
  readonly pem: string;
  readonly key: KeyObject;
  /** PKCS #8 in PEM, for servers and clients of TLS. */
  readonly keyPem: string;
  /** The subject in DER. */
  readonly subject: Uint8Array;
}

/** What a certificate is to say. What is left out makes a client's certificate of 2026, signed by itself. */
export interface CertificateOrder {
  /** Its common name, or the whole name in DER. Default: `test`. */
  readonly subject?: string | Uint8Array;
  /** Who signs. Default: the certificate's own key. */
  readonly issuer?: Pick<MadeCertificate, 'key' | 'subject'>;
  /** A private key to certify. Default: a new one on P-256. */
  readonly key?: KeyObject;
  readonly serial?: bigint | number;
  /** Default: the years 2025 to 2035. */
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  readonly extensions?: readonly Uint8Array[];
  /** Default: `sha256`. */
  readonly digest?: 'sha1' | 'sha256';
}

/** Makes a certificate: every field is as ordered, whether or not it makes sense. Source: RFC 5280, section 4.1. */
export function makeCertificate(order: CertificateOrder = {}): MadeCertificate {
  const { subject = 'test', serial = 1, extensions = [], digest = 'sha256' } = order;
  const { notBefore = new Date('2025-01-01T00:00:00Z'), notAfter = new Date('2035-01-01T00:00:00Z') } = order;
  const key = order.key ?? newKey();
  const name = typeof subject === 'string' ? commonName(subject) : subject;
  const { key: signer, subject: issuer } = order.issuer ?? { key, subject: name };
  const algorithm = sequence(...algorithmOf(signer, digest));
  const body = sequence(
    context(0, true, integer(2)),
    integer(serial),
    algorithm,
    issuer,
    sequence(time(notBefore), time(notAfter)),
    name,
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    ...(extensions.length === 0 ? [] : [context(3, true, sequence(...extensions))]),
  );
  const bytes = sequence(body, algorithm, bits(sign(isEdwards(signer) ? null : digest, body, signer)));
  const keyPem = key.export({ type: 'pkcs8', format: 'pem' });
  return { der: bytes, pem: pemOf(bytes), key, keyPem: keyPem.toString(), subject: name };
}

/** Makes the certificate of a CA: with basic constraints and the use of its key for certificates, and further extensions. */
export function makeAuthority(
  order: CertificateOrder & { readonly pathLength?: number; readonly keyUse?: readonly number[] } = {},
): MadeCertificate {
  const { pathLength, keyUse = [5, 6], extensions = [], ...rest } = order;
  const own = [basicConstraints(true, pathLength), ...(keyUse.length === 0 ? [] : [keyUsage(...keyUse)])];
  return makeCertificate({ subject: 'Test CA', ...rest, extensions: [...own, ...extensions] });
}

export function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

export function newRsaKey(modulusLength: number): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength }).privateKey;
}

export function pemOf(bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

/** A name of relative names, each of attributes: type and value in DER by turns. */
export function distinguishedName(...relative: readonly (readonly (readonly [string, Uint8Array])[])[]): Uint8Array {
  return sequence(...relative.map((parts) => set(...parts.map(([type, value]) => sequence(oid(type), value)))));
}

export function commonName(text: string): Uint8Array {
  return distinguishedName([['2.5.4.3', utf8(text)]]);
}

export function extension(id: string, isCritical: boolean, value: Uint8Array): Uint8Array {
  return sequence(oid(id), ...(isCritical ? [boolean(true)] : []), octets(value));
}

export function basicConstraints(isAuthority: boolean, pathLength?: number): Uint8Array {
  const parts = [...(isAuthority ? [boolean(true)] : []), ...(pathLength === undefined ? [] : [integer(pathLength)])];
  return extension('2.5.29.19', true, sequence(...parts));
}

/** @param uses bits of RFC 5280, section 4.2.1.3: 0 digitalSignature, 5 keyCertSign, 6 cRLSign */
export function keyUsage(...uses: readonly number[]): Uint8Array {
  const byte = uses.reduce((sum, use) => sum | (0x80 >> use), 0);
  return extension('2.5.29.15', true, bits(Buffer.from([byte]), 7 - Math.max(...uses)));
}

/** @param purposes `1.3.6.1.5.5.7.3.2` is clientAuth */
export function extendedKeyUsage(...purposes: readonly string[]): Uint8Array {
  return extension('2.5.29.37', false, sequence(...purposes.map(oid)));
}

export function alternativeNames(...names: readonly Uint8Array[]): Uint8Array {
  return extension('2.5.29.17', false, sequence(...names));
}

/** General names. Source: RFC 5280, section 4.2.1.6. */
export const generalName = {
  email: (text: string): Uint8Array => context(1, false, Buffer.from(text)),
  dns: (text: string): Uint8Array => context(2, false, Buffer.from(text)),
  directory: (name: Uint8Array): Uint8Array => context(4, true, name),
  uri: (text: string): Uint8Array => context(6, false, Buffer.from(text)),
  ip: (...bytes: readonly number[]): Uint8Array => context(7, false, Buffer.from(bytes)),
  other: (type: string, text: string): Uint8Array => context(0, true, oid(type), context(0, true, utf8(text))),
} as const;

export function nameConstraints(trees: {
  readonly permitted?: readonly Uint8Array[];
  readonly excluded?: readonly Uint8Array[];
}): Uint8Array {
  const { permitted = [], excluded = [] } = trees;
  const listOf = (number: number, names: readonly Uint8Array[]) =>
    names.length === 0 ? [] : [context(number, true, ...names.map((name) => sequence(name)))];
  return extension('2.5.29.30', true, sequence(...listOf(0, permitted), ...listOf(1, excluded)));
}

function algorithmOf(key: KeyObject, digest: 'sha1' | 'sha256'): Uint8Array[] {
  if (isEdwards(key)) return [oid('1.3.101.112')];
  if (key.asymmetricKeyType === 'ec') return [oid(digest === 'sha1' ? '1.2.840.10045.4.1' : '1.2.840.10045.4.3.2')];
  return [oid(digest === 'sha1' ? '1.2.840.113549.1.1.5' : '1.2.840.113549.1.1.11'), der(0x05)];
}

function isEdwards(key: KeyObject): boolean {
  return key.asymmetricKeyType === 'ed25519';
}
