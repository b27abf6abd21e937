import { Problem } from '../http/problem.ts';

/** Syncs that may be under way in this process: in all, and of one tenant with those below it. */
export const syncPlaces = { all: 32, tenant: 8 } as const;

/** Counts syncs under way: each holds a connection and an answer, and may take seconds. */
export class SyncPlaces {
  readonly #underWay = new Map<string, number>();
  #all = 0;

  /**
   * Takes a place.
   * @returns what gives it back
   * @throws Problem `rate_limited` when the tenant has enough, `unavailable` when all have
   */
  take(tenantId: string): () => void {
    const headers = { 'retry-after': '5' };
    const own = this.#underWay.get(tenantId) ?? 0;
    if (own >= syncPlaces.tenant) throw new Problem('rate_limited', 'Too many syncs at once', { headers });
    if (this.#all >= syncPlaces.all) throw new Problem('unavailable', 'Too many syncs are under way', { headers });
    this.#all += 1;
    this.#underWay.set(tenantId, own + 1);
    return () => {
      this.#all -= 1;
      const left = (this.#underWay.get(tenantId) ?? 1) - 1;
      if (left > 0) this.#underWay.set(tenantId, left);
      else this.#underWay.delete(tenantId);
    };
  }
}
