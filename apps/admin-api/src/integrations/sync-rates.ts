import { Problem } from '../http/problem.ts';
import type { IntegrationPlace } from './integration-states.ts';

/** Syncs of one integration that may begin at once, and in each minute after that. A scheduler needs one in hours, somebody who sets it up a few. */
export const syncsPerMinute = 6;

const msPerSync = 60_000 / syncsPerMinute;

/** A bucket that is full says nothing, so those of the last minute are kept alone. */
interface Bucket {
  /** Syncs that may begin, also parts of one. */
  readonly left: number;
  readonly atMs: number;
}

/** Bounds how often each integration is synced by this process: every sync is requests to somebody, two transactions and a record in the audit log. */
export class SyncRates {
  readonly #monotonicMs: () => number;
  /** Those that were used last at the end. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /**
   * Lets a sync begin.
   * @returns what gives it back when it did not
   * @throws Problem `rate_limited`, with the seconds after which one may
   */
  take({ tenantId, id }: IntegrationPlace): () => void {
    const nowMs = this.#monotonicMs();
    this.#forgetFull(nowMs);
    const key = JSON.stringify([tenantId, id]);
    const { left, atMs } = this.#buckets.get(key) ?? { left: syncsPerMinute, atMs: nowMs };
    const now = Math.min(syncsPerMinute, left + (nowMs - atMs) / msPerSync);
    if (now < 1) {
      const seconds = Math.ceil(((1 - now) * msPerSync) / 1000);
      throw new Problem('rate_limited', `An integration may be synced ${syncsPerMinute} times in a minute`, {
        headers: { 'retry-after': String(seconds) },
      });
    }
    this.#buckets.delete(key);
    this.#buckets.set(key, { left: now - 1, atMs: nowMs });
    return () => {
      const bucket = this.#buckets.get(key);
      if (bucket) this.#buckets.set(key, { ...bucket, left: bucket.left + 1 });
    };
  }

  #forgetFull(nowMs: number): void {
    for (const [key, { atMs }] of this.#buckets) {
      if (nowMs - atMs < syncsPerMinute * msPerSync) return;
      this.#buckets.delete(key);
    }
  }
}
