import type { Clock } from '@portcullis/plugin-runtime';
import { LRUCache } from 'lru-cache';

/** How long the directory's no counts for the same name and password, in milliseconds: a program that retries does not reach it. */
export const REFUSED_MS = 10_000;

/** Most presented pairs that are remembered. */
export const REFUSED_MAX = 10_000;

/** Pairs of name and password that the directory refused of late, by their digest. */
export class RefusedBinds {
  readonly #untilMs = new LRUCache<string, number>({ max: REFUSED_MAX });
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(digest: string): boolean {
    const untilMs = this.#untilMs.get(digest);
    return untilMs !== undefined && this.#clock.monotonicMs() < untilMs;
  }

  remember(digest: string): void {
    this.#untilMs.set(digest, this.#clock.monotonicMs() + REFUSED_MS);
  }
}
