import { createCipheriv, createDecipheriv, createHmac, type KeyObject } from 'node:crypto';
import { SecretError } from './secret-error.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Version of the envelope; it is part of what the tag covers. */
const VERSION = '1';
const SEALED = /^pc1\.([A-Za-z0-9_-]{1,32})\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

/** What seals and opens: a key, and the name that finds it again. */
export interface EnvelopeKey {
  readonly id: string;
  readonly key: KeyObject;
}

/**
 * Seals bytes: `pc1.<key id>.<key check>.<base64url of nonce, ciphertext and tag>`. `place` says where the value belongs;
 * opening it anywhere else fails. The key check tells a wrong key from changed bytes.
 */
export function sealEnvelope(
  { id, key }: EnvelopeKey,
  place: readonly string[],
  plaintext: Uint8Array,
  randomBytes: (size: number) => Buffer,
): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(place));
  const sealed = Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  return `pc1.${id}.${keyCheck(key)}.${sealed.toString('base64url')}`;
}

/** The ID of the key that sealed a value. @throws SecretError `malformed` */
export function envelopeKeyId(sealed: string): string {
  return parse(sealed).keyId;
}

/** Whether a key sealed a value, whatever it was called then. @throws SecretError `malformed` */
export function isSealedBy(key: KeyObject, sealed: string): boolean {
  return parse(sealed).check === keyCheck(key);
}

/** Opens what `sealEnvelope` gave for the same place. @throws SecretError `malformed`, `wrong_key` or `tampered` */
export function openEnvelope({ id, key }: EnvelopeKey, place: readonly string[], sealed: string): Buffer {
  const parsed = parse(sealed);
  if (parsed.keyId !== id || parsed.check !== keyCheck(key)) {
    throw new SecretError('wrong_key', `the value was sealed with key ${parsed.keyId}, which is not the key at hand`);
  }
  const { bytes } = parsed;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData(place));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw new SecretError('tampered', 'the sealed value was changed, or belongs to another place');
  }
}

function parse(sealed: string): { readonly keyId: string; readonly check: string; readonly bytes: Buffer } {
  const [, keyId, check, text] = SEALED.exec(sealed) ?? [];
  if (keyId === undefined || check === undefined || text === undefined) {
    throw new SecretError('malformed', 'this is not a sealed value');
  }
  const bytes = Buffer.from(text, 'base64url');
  // Encoding it again must give the same text: otherwise two texts would open to one value.
  if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) {
    throw new SecretError('malformed', 'this is not a sealed value');
  }
  return { keyId, check, bytes };
}

/** Each part goes in with its length, so that no two places give the same bytes. */
function associatedData(place: readonly string[]): Buffer {
  const parts = [...place, VERSION].flatMap((part) => {
    const bytes = Buffer.from(part, 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return [length, bytes];
  });
  return Buffer.concat(parts);
}

const checks = new WeakMap<KeyObject, string>();

/** Eight hex digits that recognise a key without giving it away. */
function keyCheck(key: KeyObject): string {
  const known = checks.get(key);
  if (known !== undefined) return known;
  const check = createHmac('sha256', key).update('portcullis/key-check/v1').digest('hex').slice(0, 8);
  checks.set(key, check);
  return check;
}
