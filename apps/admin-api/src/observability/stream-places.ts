import { Problem } from '../http/problem.ts';

/** Live streams that may be open in this process: in all, of one tenant, and of one user or token. */
export const streamPlaces = { all: 256, tenant: 64, caller: 8 } as const;

/** Counts open streams. */
export class StreamPlaces {
  readonly #open = new Map<string, number>();

  /**
   * Takes a place.
   * @returns what gives it back; any further call does nothing
   * @throws Problem `rate_limited` when tenant or caller have enough, `unavailable` when all have
   */
  take(tenantId: string, caller: string): () => void {
    const headers = { 'retry-after': '10' };
    const keys = { caller: `caller ${caller}`, tenant: `tenant ${tenantId}`, all: 'all' };
    if (this.#count(keys.caller) >= streamPlaces.caller || this.#count(keys.tenant) >= streamPlaces.tenant) {
      throw new Problem('rate_limited', 'Too many live streams at once', { headers });
    }
    if (this.#count(keys.all) >= streamPlaces.all) {
      throw new Problem('unavailable', 'Too many live streams are open', { headers });
    }
    for (const key of Object.values(keys)) this.#open.set(key, this.#count(key) + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      for (const key of Object.values(keys)) {
        const left = this.#count(key) - 1;
        if (left > 0) this.#open.set(key, left);
        else this.#open.delete(key);
      }
    };
  }

  #count(key: string): number {
    return this.#open.get(key) ?? 0;
  }
}
