import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const magic = Buffer.from('PGWC3', 'latin1');
const nonceLength = 12;
const tagLength = 16;

/** Bytes of {@link Seal.owner}: enough that no two tokens have the same. */
const ownerLength = 8;

/** Seals a text piece by piece: {@link begin} comes first in the file, then every piece, {@link end} last. */
export interface Sealing {
  readonly begin: Buffer;
  piece(text: string): Buffer;
  end(): Buffer;
}

/** Seals texts under a key that is derived from the data-plane token. Source: decisions, 24. */
export class Seal {
  /** 16 hexadecimal digits that tell this token from others and nothing about it. */
  readonly owner: string;
  readonly #key: Buffer;

  constructor(token: string) {
    this.#key = derived(token, 'configuration-cache', 32);
    this.owner = derived(token, 'configuration-cache-owner', ownerLength).toString('hex');
  }

  /**
   * AES-256-GCM with a fresh nonce: magic, nonce, ciphertext, tag.
   * @param place where the text will be found; under another one it cannot be opened
   */
  sealing(place: string): Sealing {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(boundTo(place));
    return {
      begin: Buffer.concat([magic, nonce]),
      piece: (text) => cipher.update(text, 'utf8'),
      end: () => Buffer.concat([cipher.final(), cipher.getAuthTag()]),
    };
  }

  /** The text's bytes, or `undefined` for anything that was not sealed with this key for this place, whole and unchanged. */
  open(blob: Buffer, place: string): Buffer | undefined {
    const start = magic.length + nonceLength;
    if (blob.length < start + tagLength || !blob.subarray(0, magic.length).equals(magic)) return undefined;
    const nonce = blob.subarray(magic.length, start);
    const tag = blob.subarray(blob.length - tagLength);
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: tagLength });
      decipher.setAAD(boundTo(place)).setAuthTag(tag);
      const text = decipher.update(blob.subarray(start, blob.length - tagLength));
      // Nothing is used before this: it throws when a single bit is another one.
      return Buffer.concat([text, decipher.final()]);
    } catch {
      return undefined;
    }
  }
}

function derived(token: string, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', token, 'portcullis-gateway', purpose, length));
}

function boundTo(place: string): Buffer {
  return Buffer.concat([magic, Buffer.from(place, 'utf8')]);
}
