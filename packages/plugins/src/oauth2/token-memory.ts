import { LRUCache } from 'lru-cache';
import type { TokenFault, TokenGrant } from './token-grant.ts';

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
  readonly #inactive = new LRUCache<string, Remembered<TokenFault>>({ max: INACTIVE_TOKENS_MAX });
  readonly #active = new LRUCache<string, Remembered<TokenGrant>>({
    max: ACTIVE_TOKENS_MAX,
    maxSize: ACTIVE_SIZE_MAX,
    sizeCalculation: ({ said }) => said.size,
  });

  /** What a token gives, or why it gives nothing; `undefined` where that is not known any more. */
  find(digest: string, nowMs: number): TokenGrant | TokenFault | undefined {
    return inTime(this.#active.get(digest), nowMs) ?? inTime(this.#inactive.get(digest), nowMs);
  }

  remember(digest: string, said: TokenGrant | TokenFault, nowMs: number): void {
    if (typeof said === 'string') this.#inactive.set(digest, { said, untilMs: nowMs + INACTIVE_MS_MAX });
    else this.#active.set(digest, { said, untilMs: nowMs + ACTIVE_MS_MAX });
  }
}

interface Remembered<Said> {
  readonly said: Said;
  readonly untilMs: number;
}

function inTime<Said>(remembered: Remembered<Said> | undefined, nowMs: number): Said | undefined {
  return remembered !== undefined && nowMs < remembered.untilMs ? remembered.said : undefined;
}
