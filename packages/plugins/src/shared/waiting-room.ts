import { clientSite } from './client-network.ts';

/**
 * Requests that wait for a slow judge. Below the default of `max_concurrency` (32), at which the runtime would let all requests wait, and refuse them, of
 * the instance, also those about which the judge need not be asked.
 */
export const WAITING_MAX = 24;

/** Requests of one site that wait for it: the others have room beside it. */
export const WAITING_PER_SITE_MAX = 16;

/** Who waits, by the site that they come from. */
export class WaitingRoom {
  readonly #ofSite = new Map<string, number>();
  #inAll = 0;

  /** Whether one more of this network may not wait. Answer it at once: a request that waits for its refusal would be one more. */
  isFull(network: string): boolean {
    return this.#inAll >= WAITING_MAX || (this.#ofSite.get(clientSite(network)) ?? 0) >= WAITING_PER_SITE_MAX;
  }

  /** Counts a request of this network until what it waits for is settled. @returns the same */
  hold<Result>(network: string, result: Promise<Result>): Promise<Result> {
    const site = clientSite(network);
    this.#count(site, 1);
    return result.finally(() => this.#count(site, -1));
  }

  #count(site: string, change: 1 | -1): void {
    this.#inAll += change;
    const left = (this.#ofSite.get(site) ?? 0) + change;
    if (left === 0) this.#ofSite.delete(site);
    else this.#ofSite.set(site, left);
  }
}
