import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const magic = Buffer.from('PGWC1', 'latin1');
const nonceLength = 12;
const tagLength = 16;

/** Seals texts under a key that is derived from the data-plane token. Source: decisions, 24. */
export class Seal {
  readonly #key: Buffer;

  constructor(token: string) {
    this.#key = Buffer.from(hkdfSync('sha256', token, 'portcullis-gateway', 'configuration-cache', 32));
  }

  /** AES-256-GCM with a fresh nonce: magic, nonce, tag, ciphertext. */
  close(text: string): Buffer {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(magic);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([magic, nonce, cipher.getAuthTag(), sealed]);
  }

  /** The text, or `undefined` for anything that was not sealed with this key, whole and unchanged. */
  open(blob: Buffer): string | undefined {
    const start = magic.length + nonceLength + tagLength;
    if (blob.length < start || !blob.subarray(0, magic.length).equals(magic)) return undefined;
    const nonce = blob.subarray(magic.length, magic.length + nonceLength);
    const tag = blob.subarray(magic.length + nonceLength, start);
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: tagLength });
      decipher.setAAD(magic).setAuthTag(tag);
      return Buffer.concat([decipher.update(blob.subarray(start)), decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}
