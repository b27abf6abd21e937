import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Most tokens that an instance remembers. */
export const REMEMBERED_MAX = 10_000;

/** Characters of all that is remembered of tokens, roughly, in one instance. */
export const REMEMBERED_SIZE_MAX = 8_000_000;

/** Longest time for which a token is remembered, in milliseconds. */
export const REMEMBERED_MS = 5 * 60_000;

/** What is kept of a verified token. */
export interface Remembered {
  /** Milliseconds since 1970 from which it no longer counts. */
  readonly untilMs: number;
  /** About how much it holds, in characters. */
  readonly size: number;
}

/**
 * Until when a token may be remembered.
 * @param goodMs until when the token is good, in milliseconds since 1970
 */
export function rememberedUntilMs(goodMs: number, nowMs: number): number {
  return Math.min(goodMs, nowMs + REMEMBERED_MS);
}

/**
 * Tokens that were verified a short time ago, by the SHA-256 of their text: the tokens themselves are not kept. Whoever reads it
 * checks that what verified the token (a key of the issuer, a credential) is still there.
 */
export class VerifiedTokens<Entry extends Remembered> {
  /** Made for the first token: it takes its room at once, and many instances never see one. */
  #entries: LRUCache<string, Entry> | undefined;

  find(token: string, nowMs: number): Entry | undefined {
    if (this.#entries === undefined) return undefined;
    const digest = hash('sha256', token, 'base64');
    const entry = this.#entries.get(digest);
    if (entry === undefined || nowMs < entry.untilMs) return entry;
    this.#entries.delete(digest);
    return undefined;
  }

  remember(token: string, entry: Entry): void {
    this.#entries ??= new LRUCache<string, Entry>({
      max: REMEMBERED_MAX,
      maxSize: REMEMBERED_SIZE_MAX,
      sizeCalculation: ({ size }) => size + ENTRY_SIZE,
    });
    this.#entries.set(hash('sha256', token, 'base64'), entry);
  }
}

/** Characters that every entry costs, with its digest and its place in the cache. */
const ENTRY_SIZE = 400;
