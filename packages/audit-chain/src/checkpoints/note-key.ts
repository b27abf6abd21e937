import { createPrivateKey, createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto';

/** Says Ed25519 in keys and key IDs. Source: C2SP signed-note. */
const ED25519 = 0x01;
const KEY_BYTES = 32;
export const KEY_ID_BYTES = 4;
export const SIGNATURE_BYTES = 64;
/** DER that stands before the 32 bytes of an Ed25519 public key. Source: RFC 8410, 4. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
/** The same for the 32 bytes of a private key. Source: RFC 8410, 7. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs notes under a name. */
export interface NoteSigner {
  readonly name: string;
  /** Eight lower-case hex digits. */
  readonly keyId: string;
  /** What verifiers get: `name+keyid+base64`. */
  readonly verifierKey: string;
  sign(text: string): Buffer;
}

/** Checks signatures of one key. */
export interface NoteVerifier {
  readonly name: string;
  readonly keyId: string;
  verify(text: string, signature: Buffer): boolean;
}

/** A signer from an Ed25519 private key, as a KeyObject or as PEM. Throws a TypeError for other keys and for names that notes cannot carry. */
export function createSigner(name: string, privateKey: KeyObject | string): NoteSigner {
  const key = typeof privateKey === 'string' ? createPrivateKey(privateKey) : privateKey;
  if (key.type !== 'private' || key.asymmetricKeyType !== 'ed25519')
    throw new TypeError('notes are signed with Ed25519 private keys');
  checkName(name);
  const publicKey = rawPublicKey(createPublicKey(key));
  const keyId = keyIdOf(name, publicKey);
  const encoded = Buffer.concat([Buffer.of(ED25519), publicKey]).toString('base64');
  return {
    name,
    keyId,
    verifierKey: `${name}+${keyId}+${encoded}`,
    sign: (text) => sign(null, Buffer.from(text, 'utf8'), key),
  };
}

/** An Ed25519 private key from its 32 bytes, for keys that are kept as such. */
export function privateKeyFromSeed(seed: Uint8Array): KeyObject {
  if (seed.length !== KEY_BYTES) throw new TypeError(`an Ed25519 private key has ${KEY_BYTES} bytes`);
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

/** A verifier from its text form. Throws a TypeError that says what is wrong with it. */
export function parseVerifierKey(text: string): NoteVerifier {
  const [, name = '', keyId = '', encoded = ''] =
    /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text.trim()) ?? [];
  checkName(name);
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== KEY_BYTES + 1 || bytes[0] !== ED25519) throw new TypeError('a verifier key is no Ed25519 key');
  const publicKey = bytes.subarray(1);
  if (keyIdOf(name, publicKey) !== keyId) throw new TypeError('the ID of a verifier key does not fit its name and key');
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
  return { name, keyId, verify: (note, signature) => verify(null, Buffer.from(note, 'utf8'), key, signature) };
}

function rawPublicKey(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX.length);
}

/** SHA-256(name, line break, algorithm, key), its first four bytes. Source: C2SP signed-note. */
function keyIdOf(name: string, publicKey: Buffer): string {
  const bytes = Buffer.concat([Buffer.from(`${name}\n`, 'utf8'), Buffer.of(ED25519), publicKey]);
  return hash('sha256', bytes, 'hex').slice(0, KEY_ID_BYTES * 2);
}

function checkName(name: string): void {
  if (name === '' || !name.isWellFormed() || /[\s+]/u.test(name)) {
    throw new TypeError('the name of a key is not empty and has no space and no plus sign');
  }
}
