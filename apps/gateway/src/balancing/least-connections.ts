import { isEligible, untroubled, type Chooser, type Level, type Share, type Tried } from './eligibility.ts';
import type { Endpoint } from './endpoint.ts';
import { LoadHeap } from './load-heap.ts';
import { Turns } from './turns.ts';

/**
 * Least connections: the endpoint with the fewest requests in flight for its weight; among equals they take turns by weight, so that
 * an upstream with little to do spreads like round robin. Endpoints tell when their load changes, and a heap keeps the order in
 * O(log n). One chooser at a time is told: an older one, which finishes what its configuration began, looks at all.
 */
export class LeastConnections implements Chooser {
  readonly #shares: readonly Share[];
  readonly #turns: Turns;
  readonly #heap: LoadHeap;
  readonly #listeners: readonly (() => void)[];
  #isTold = true;

  constructor(shares: readonly Share[]) {
    this.#shares = shares;
    this.#turns = new Turns(shares);
    this.#heap = new LoadHeap(shares.length, (turn, other) => this.#isLighter(turn, other));
    this.#listeners = shares.map(({ endpoint }, turn) => (endpoint.onLoad = (): void => this.#heap.moved(turn)));
  }

  choose(_hash: number | undefined, nowMs: number, tried: Tried | undefined, level: Level): Endpoint | undefined {
    if (level !== untroubled || tried !== undefined || !this.#isTold) return this.#scan(nowMs, tried, level);
    if (this.#heap.parked.length > 0) this.#readmit(nowMs);
    for (;;) {
      const { first } = this.#heap;
      const endpoint = this.#shares[first]?.endpoint;
      if (endpoint === undefined) return undefined;
      if (isEligible(endpoint, nowMs, undefined, untroubled)) return this.#take(first, endpoint);
      this.#heap.parkFirst();
    }
  }

  leave(): void {
    this.#isTold = false;
    this.#turns.leave();
    for (const [turn, { endpoint }] of this.#shares.entries()) {
      if (endpoint.onLoad === this.#listeners[turn]) endpoint.onLoad = undefined;
    }
  }

  #scan(nowMs: number, tried: Tried | undefined, level: Level): Endpoint | undefined {
    let lightest = -1;
    for (let turn = 0; turn < this.#shares.length; turn += 1) {
      const share = this.#shares[turn];
      if (share === undefined || !isEligible(share.endpoint, nowMs, tried, level)) continue;
      if (lightest === -1 || this.#isLighter(turn, lightest)) lightest = turn;
    }
    const found = this.#shares[lightest];
    return found === undefined ? undefined : this.#take(lightest, found.endpoint);
  }

  /** Who had no turn for long has none to catch up on. */
  #take(turn: number, endpoint: Endpoint): Endpoint {
    this.#turns.catchUp(turn);
    this.#turns.take(turn);
    this.#heap.moved(turn);
    return endpoint;
  }

  #readmit(nowMs: number): void {
    const { parked } = this.#heap;
    for (let index = parked.length - 1; index >= 0; index -= 1) {
      const share = this.#shares[parked[index] ?? -1];
      if (share !== undefined && isEligible(share.endpoint, nowMs, undefined, untroubled)) this.#heap.readmit(index);
    }
  }

  #isLighter(turn: number, other: number): boolean {
    const mine = this.#shares[turn];
    const others = this.#shares[other];
    if (mine === undefined || others === undefined) return false;
    const difference = mine.endpoint.inFlight * others.weight - others.endpoint.inFlight * mine.weight;
    if (difference !== 0) return difference < 0;
    const { at } = this.#turns;
    const later = (at[turn] ?? 0) - (at[other] ?? 0);
    return later < 0 || (later === 0 && turn < other);
  }
}
