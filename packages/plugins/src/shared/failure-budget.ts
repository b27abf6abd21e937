/** Failed attempts that a network may make at once, and how fast it gets them back. */
export const FAILURES_MAX = 10;
export const FAILURES_PER_SECOND = 1;

/** Networks that are remembered. Beyond it the one that failed first is forgotten. */
export const NETWORKS_MAX = 10_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

/** A bucket of tokens for each network that clients fail from. Source: security rules, Login brute force. */
export class FailureBudget {
  readonly #buckets = new Map<string, Bucket>();

  /** Takes a token for an attempt. @returns whether there was one */
  take(network: string, nowMs: number): boolean {
    const bucket = this.#bucketOf(network, nowMs);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  /** The attempt did not fail. */
  giveBack(network: string): void {
    const bucket = this.#buckets.get(network);
    if (bucket === undefined) return;
    bucket.tokens += 1;
    if (bucket.tokens >= FAILURES_MAX) this.#buckets.delete(network);
  }

  get size(): number {
    return this.#buckets.size;
  }

  #bucketOf(network: string, nowMs: number): Bucket {
    const known = this.#buckets.get(network);
    if (known !== undefined) {
      const grown = ((nowMs - known.atMs) / 1000) * FAILURES_PER_SECOND;
      known.tokens = Math.min(FAILURES_MAX, known.tokens + Math.max(0, grown));
      known.atMs = nowMs;
      return known;
    }
    if (this.#buckets.size >= NETWORKS_MAX) {
      for (const first of this.#buckets.keys()) {
        this.#buckets.delete(first);
        break;
      }
    }
    const bucket = { tokens: FAILURES_MAX, atMs: nowMs };
    this.#buckets.set(network, bucket);
    return bucket;
  }
}
