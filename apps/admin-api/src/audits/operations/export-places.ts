import { Problem } from '../../http/problem.ts';

/** Exports that are read at once: each holds a page of records, and a query of the database as long as it is on the way. */
const inAllMax = 32;
/** Of them those of one tenant, or of one super administrator. */
const ofPartyMax = 4;

/** Counts exports that are on the way. */
export class ExportPlaces {
  readonly #parties = new Map<string, number>();
  #inAll = 0;

  /**
   * Takes a place.
   * @returns what gives it back; any further call does nothing
   * @throws Problem `rate_limited` when the party has enough, `unavailable` when all have
   */
  take(party: string): () => void {
    const headers = { 'retry-after': '10' };
    const own = this.#parties.get(party) ?? 0;
    if (own >= ofPartyMax) throw new Problem('rate_limited', 'Too many exports of the audit log at once', { headers });
    if (this.#inAll >= inAllMax) throw new Problem('unavailable', 'Other exports are running', { headers });
    this.#inAll += 1;
    this.#parties.set(party, own + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#inAll -= 1;
      const left = (this.#parties.get(party) ?? 1) - 1;
      if (left > 0) this.#parties.set(party, left);
      else this.#parties.delete(party);
    };
  }
}
