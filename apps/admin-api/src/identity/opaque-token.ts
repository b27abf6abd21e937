import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Kinds of tokens by their prefix: admin API tokens, data-plane tokens, refresh tokens. */
export type TokenPrefix = 'gwadm' | 'gwdp' | 'gwrt';

/** A source of unpredictable bytes; `randomBytes` of `node:crypto` in production. */
export type RandomBytes = (length: number) => Uint8Array;

/** A new token. `token` is shown once and kept nowhere; the other two are stored. */
export interface MintedToken {
  readonly token: string;
  /** Public part that finds the record. */
  readonly id: string;
  /** SHA-256 of the secret part, hexadecimal. */
  readonly secretHash: string;
}

/** The parts of a token whose checksum is right. That says nothing about whether it was ever issued. */
export interface ParsedToken {
  readonly prefix: TokenPrefix;
  readonly id: string;
  readonly secretHash: string;
}

/** How a token is made when not in the usual way. */
export interface MintOptions {
  /** The public part, when the token replaces another of the same record. */
  readonly id?: string;
  /** What the secret begins with, when it shares that with another; at most half of it. */
  readonly secretStart?: string;
  /** `randomBytes` of `node:crypto` unless given. */
  readonly random?: RandomBytes;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const idLength = 12;
/** 43 characters of base 62 hold 256 bits. */
const secretLength = 43;
const checksumLength = 6;
const form = /^(gwadm|gwdp|gwrt)_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/**
 * Makes a token `<prefix>_<id>_<secret><checksum>`: 12 characters that find it, 43 of secret, and 6 of CRC-32 over all
 * before them, so that a mistyped or made-up token is told without a query. Source: security, Admin tokens.
 */
export function mintToken(prefix: TokenPrefix, options: MintOptions = {}): MintedToken {
  const random = options.random ?? randomBytes;
  const id = options.id ?? randomText(idLength, random);
  const { secretStart = '' } = options;
  const secret = secretStart + randomText(secretLength - secretStart.length, random);
  const body = `${prefix}_${id}_${secret}`;
  return { token: body + checksumOf(body), id, secretHash: hash('sha256', secret) };
}

/** Takes a token apart; nothing when its form or checksum is wrong. Reads no database. */
export function parseToken(text: string): ParsedToken | undefined {
  const match = form.exec(text);
  if (!match || checksumOf(text.slice(0, -checksumLength)) !== match[4]) return undefined;
  const [, prefix, id = '', secret = ''] = match;
  return { prefix: prefix as TokenPrefix, id, secretHash: hash('sha256', secret) };
}

/** Compares two hexadecimal hashes in constant time. False when the stored one is no such hash. */
export function isSameHash(given: string, stored: unknown): boolean {
  if (typeof stored !== 'string' || stored.length !== given.length) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(stored));
}

/** Unpredictable text of base 62, without the bias of a plain remainder. */
export function randomText(length: number, random: RandomBytes): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      // 248 is the largest multiple of 62 that a byte holds.
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < checksumLength; place += 1) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
