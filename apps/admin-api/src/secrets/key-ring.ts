import { createSecretKey, type KeyObject } from 'node:crypto';

/** Length of every key, bytes: AES-256. */
export const KEY_BYTES = 32;
/** Most keys in a ring: the one that seals, and others until a rotation is through (`resealTenantKeys`). */
const KEYS_MAX = 16;
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/** The operator's keys. Data keys of tenants are sealed under them; nothing else is. */
export interface KeyRing {
  /** ID of the key that seals. */
  readonly sealingKeyId: string;
  /** A key by ID; `undefined` when the ring has none of that name. */
  get(id: string): KeyObject | undefined;
  /** All keys by ID, the sealing one first. */
  entries(): Iterable<readonly [string, KeyObject]>;
}

/** What is wrong with one entry. Never holds any of the entry's text. */
export interface KeyRingProblem {
  /** Which entry, counted from 1. */
  readonly position: number;
  readonly message: string;
}

/** A ring, or everything that is wrong with the text. */
export type KeyRingResult =
  | { readonly ok: true; readonly keyRing: KeyRing }
  | { readonly ok: false; readonly problems: readonly KeyRingProblem[] };

/** Reads `id:base64[,id:base64]` with keys of 32 bytes. The first entry seals, all of them open. */
export function parseKeyRing(text: string): KeyRingResult {
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.length > KEYS_MAX) {
    return { ok: false, problems: [{ position: KEYS_MAX + 1, message: `a ring holds at most ${KEYS_MAX} keys` }] };
  }
  const keys = new Map<string, KeyObject>();
  const problems: KeyRingProblem[] = [];
  for (const [index, entry] of entries.entries()) {
    const position = index + 1;
    const colon = entry.indexOf(':');
    const id = entry.slice(0, Math.max(colon, 0));
    const key = entry.slice(colon + 1);
    if (colon === -1) problems.push({ position, message: 'is not of the form id:base64' });
    else if (!KEY_ID.test(id))
      problems.push({ position, message: 'has an ID that does not match [A-Za-z0-9_-]{1,32}' });
    else if (keys.has(id)) problems.push({ position, message: 'has the ID of an earlier entry' });
    else if (!BASE64.test(key)) problems.push({ position, message: `is not ${KEY_BYTES} bytes of base64` });
    else keys.set(id, createSecretKey(Buffer.from(key, 'base64')));
  }
  const [sealingKeyId] = keys.keys();
  if (problems.length > 0 || sealingKeyId === undefined) return { ok: false, problems };
  return { ok: true, keyRing: { sealingKeyId, get: (id) => keys.get(id), entries: () => keys.entries() } };
}
