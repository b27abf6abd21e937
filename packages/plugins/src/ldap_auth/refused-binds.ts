import type { Clock } from '@portcullis/plugin-runtime';
import { LRUCache } from 'lru-cache';

/** How long the directory's no counts for the same name and password, in milliseconds: a program that retries does not reach it. */
export const REFUSED_MS = 10_000;

/** Most refusals of one name within {@link NAME_WINDOW_MS}; then the directory is not asked about that name until the window ends. */
export const NAME_REFUSALS_MAX = 20;
export const NAME_WINDOW_MS = 60_000;

/** Most presented pairs, and most names, that are remembered. */
export const REFUSED_MAX = 10_000;

interface Window {
  readonly untilMs: number;
  refusals: number;
}

/** What the directory refused of late. It keeps guessing and retrying from the directory, and from locking accounts there at once. */
export class RefusedBinds {
  readonly #pairs = new LRUCache<string, number>({ max: REFUSED_MAX });
  readonly #names = new LRUCache<string, Window>({ max: REFUSED_MAX });
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether to refuse without asking. */
  has(digest: string, name: string): boolean {
    const nowMs = this.#clock.monotonicMs();
    if ((this.#pairs.get(digest) ?? nowMs) > nowMs) return true;
    const window = this.#names.get(name);
    return window !== undefined && window.untilMs > nowMs && window.refusals >= NAME_REFUSALS_MAX;
  }

  remember(digest: string, name: string): void {
    const nowMs = this.#clock.monotonicMs();
    this.#pairs.set(digest, nowMs + REFUSED_MS);
    const window = this.#names.get(name);
    if (window !== undefined && window.untilMs > nowMs) window.refusals += 1;
    else this.#names.set(name, { untilMs: nowMs + NAME_WINDOW_MS, refusals: 1 });
  }
}
