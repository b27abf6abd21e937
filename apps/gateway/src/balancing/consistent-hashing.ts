import { isEligible, type Chooser, type Level, type Share, type Tried } from './eligibility.ts';
import type { Endpoint } from './endpoint.ts';
import { hashOf } from './hash.ts';
import { RoundRobin } from './round-robin.ts';
import { scoreOf, SlotTable, type SlotCandidate } from './slot-table.ts';

/** Slots that are walked before the endpoints themselves are asked: nearly all of them cannot be used then. */
const stepsMax = 64;

/**
 * Consistent hashing: what a request is told apart by names a slot, and the slot its owner. While the owner cannot be used, the
 * request goes to the owner of the next slot that can, and nobody else's requests move. A request that is told apart by nothing
 * takes its turn.
 */
export class ConsistentHashing implements Chooser {
  readonly #shares: readonly Share[];
  readonly #candidates: readonly SlotCandidate[];
  readonly #slots: SlotTable;
  readonly #others: RoundRobin;

  constructor(shares: readonly Share[], slots: number) {
    this.#shares = shares;
    this.#candidates = shares.map(({ endpoint, weight }) => ({ hash: hashOf(identityOf(endpoint)), weight }));
    this.#slots = new SlotTable(this.#candidates, slots);
    this.#others = new RoundRobin(shares);
  }

  choose(hash: number | undefined, nowMs: number, tried: Tried | undefined, level: Level): Endpoint | undefined {
    if (hash === undefined) return this.#others.choose(undefined, nowMs, tried, level);
    if (this.#shares.length === 0) return undefined;
    const { size } = this.#slots;
    const slot = hash % size;
    for (let step = 0; step < stepsMax; step += 1) {
      const owner = this.#shares[this.#slots.ownerOf((slot + step) % size)]?.endpoint;
      if (owner !== undefined && isEligible(owner, nowMs, tried, level)) return owner;
    }
    return this.#bestFor(slot, nowMs, tried, level);
  }

  leave(): void {
    this.#others.leave();
  }

  #bestFor(slot: number, nowMs: number, tried: Tried | undefined, level: Level): Endpoint | undefined {
    let best: Endpoint | undefined;
    let highest = Number.NEGATIVE_INFINITY;
    for (let index = 0; index < this.#shares.length; index += 1) {
      const endpoint = this.#shares[index]?.endpoint;
      const candidate = this.#candidates[index];
      if (endpoint === undefined || candidate === undefined || !isEligible(endpoint, nowMs, tried, level)) continue;
      const score = scoreOf(candidate, slot);
      if (score > highest) [best, highest] = [endpoint, score];
    }
    return best;
  }
}

/** The same on every node, and for as long as the target stands. */
function identityOf({ address: { host, port } }: Endpoint): string {
  return `${host} ${port}`;
}
