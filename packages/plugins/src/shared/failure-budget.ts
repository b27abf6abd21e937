import { clientSite } from './client-network.ts';

/** Failed attempts that a network may make at once, and how fast it gets them back. */
export const FAILURES_MAX = 10;
export const FAILURES_PER_SECOND = 1;

/** The same for all networks of one site: whoever has a /48 has 65,536 networks. */
export const SITE_FAILURES_MAX = 80;
export const SITE_FAILURES_PER_SECOND = 8;

/** Networks that are remembered, and sites. Beyond it the one that failed first is forgotten. */
export const NETWORKS_MAX = 10_000;

/**
 * What clients may fail: a bucket of tokens for each network that they come from, and one for its site. Source: security rules, Login
 * brute force.
 */
export class FailureBudget {
  readonly #networks = new Buckets(FAILURES_MAX, FAILURES_PER_SECOND);
  readonly #sites = new Buckets(SITE_FAILURES_MAX, SITE_FAILURES_PER_SECOND);

  /** Takes a token for an attempt. @returns whether there was one */
  take(network: string, nowMs: number): boolean {
    const buckets = [this.#networks.of(network, nowMs), this.#sites.of(clientSite(network), nowMs)];
    if (buckets.some(({ tokens }) => tokens < 1)) return false;
    for (const bucket of buckets) bucket.tokens -= 1;
    return true;
  }

  /** The attempt did not fail. */
  giveBack(network: string): void {
    this.#networks.giveBack(network);
    this.#sites.giveBack(clientSite(network));
  }

  /** Networks that are remembered. */
  get size(): number {
    return this.#networks.size;
  }
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Buckets by name, each full at first. */
class Buckets {
  readonly #tokensMax: number;
  readonly #perSecond: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(tokensMax: number, perSecond: number) {
    this.#tokensMax = tokensMax;
    this.#perSecond = perSecond;
  }

  get size(): number {
    return this.#buckets.size;
  }

  of(name: string, nowMs: number): Bucket {
    const known = this.#buckets.get(name);
    if (known !== undefined) {
      const grown = ((nowMs - known.atMs) / 1000) * this.#perSecond;
      known.tokens = Math.min(this.#tokensMax, known.tokens + Math.max(0, grown));
      known.atMs = nowMs;
      return known;
    }
    if (this.#buckets.size >= NETWORKS_MAX) {
      for (const first of this.#buckets.keys()) {
        this.#buckets.delete(first);
        break;
      }
    }
    const bucket = { tokens: this.#tokensMax, atMs: nowMs };
    this.#buckets.set(name, bucket);
    return bucket;
  }

  giveBack(name: string): void {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) return;
    bucket.tokens += 1;
    if (bucket.tokens >= this.#tokensMax) this.#buckets.delete(name);
  }
}
