import { constants, createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** A key pair with its public half in the forms in which people hand it over. */
export interface TestKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly pem: string;
  readonly jwk: Readonly<Record<string, unknown>>;
}

/** A new key pair. */
export function makeKey(kind: 'rsa' | 'p256' | 'p384' | 'p521' | 'ed25519', rsaBits = 2048): TestKey {
  const { privateKey, publicKey } = newPair(kind, rsaBits);
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { privateKey, publicKey, pem, jwk: { ...publicKey.export({ format: 'jwk' }) } };
}

/**
 * Makes a token without any library: header and claims may be text that is no JSON, and nothing is checked.
 * @param key a private key, or the text of a shared secret
 * @param algorithm what is really done, whatever the header says
 */
export function makeToken(header: unknown, claims: unknown, key: KeyObject | string, algorithm: string): string {
  const signed = `${encoded(header)}.${encoded(claims)}`;
  return `${signed}.${signatureOf(signed, key, algorithm).toString('base64url')}`;
}

/** One part of a token. */
export function encoded(part: unknown): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
}

function newPair(kind: string, rsaBits: number): { privateKey: KeyObject; publicKey: KeyObject } {
  if (kind === 'rsa') return generateKeyPairSync('rsa', { modulusLength: rsaBits });
  return kind === 'ed25519'
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('ec', { namedCurve: kind.replace('p', 'P-') });
}

function signatureOf(text: string, key: KeyObject | string, algorithm: string): Buffer {
  const data = Buffer.from(text);
  const digest = `sha${algorithm.slice(2)}`;
  if (typeof key === 'string') return createHmac(digest, key).update(data).digest();
  switch (algorithm.slice(0, 2)) {
    case 'PS':
      return sign(digest, data, {
        key,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: Number(digest.slice(3)) / 8,
      });
    case 'ES':
      return sign(digest, data, { key, dsaEncoding: 'ieee-p1363' });
    case 'Ed':
      return sign(null, data, key);
    default:
      return sign(digest, data, key);
  }
}
