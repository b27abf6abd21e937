import { LRUCache } from 'lru-cache';
import type { TokenGrant } from './token-grant.ts';

/** Longest time for which an active token is not asked for again, in milliseconds: so long a revoked one may still pass. */
export const ACTIVE_MS_MAX = 30_000;

/** The same for one that is not active. Short, and only against clients who try again and again. */
export const INACTIVE_MS_MAX = 5000;

/** Most active tokens that an instance remembers, and characters of all that is kept of them, roughly. */
export const ACTIVE_TOKENS_MAX = 10_000;
export const ACTIVE_SIZE_MAX = 8_000_000;

/** Most tokens that an instance remembers as not active. They have a room of their own: anybody can make such tokens up. */
export const INACTIVE_TOKENS_MAX = 10_000;

/** What was said of tokens a short time ago, by digest. All times are milliseconds of a clock that nobody sets. */
export class TokenMemory {
  readonly #inactive = new LRUCache<string, number>({ max: INACTIVE_TOKENS_MAX });
  readonly #active = new LRUCache<string, Remembered>({
    max: ACTIVE_TOKENS_MAX,
    maxSize: ACTIVE_SIZE_MAX,
    sizeCalculation: ({ grant }) => grant.size,
  });

  /** What an active token gives. */
  find(digest: string, nowMs: number): TokenGrant | undefined {
    const remembered = this.#active.get(digest);
    return remembered !== undefined && nowMs < remembered.untilMs ? remembered.grant : undefined;
  }

  isInactive(digest: string, nowMs: number): boolean {
    const untilMs = this.#inactive.get(digest);
    return untilMs !== undefined && nowMs < untilMs;
  }

  /** @param grant `undefined` for a token that is not active */
  remember(digest: string, grant: TokenGrant | undefined, nowMs: number): void {
    if (grant === undefined) this.#inactive.set(digest, nowMs + INACTIVE_MS_MAX);
    else this.#active.set(digest, { grant, untilMs: nowMs + ACTIVE_MS_MAX });
  }
}

interface Remembered {
  readonly grant: TokenGrant;
  readonly untilMs: number;
}
