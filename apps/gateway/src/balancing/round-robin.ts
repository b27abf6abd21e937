import type { Endpoint } from './endpoint.ts';
import { isEligible, untroubled, type Chooser, type Level, type Share, type Tried } from './eligibility.ts';
import { Turns } from './turns.ts';

/**
 * Smooth weighted round robin: the endpoint whose turn is the earliest. Every one comes as often as its weight says, and the turns of a heavy
 * one are spread out. Who could not be used has nothing to catch up on. All are looked at, a nanosecond each: up to some
 * hundred that is faster than any order that has to be kept. Source: design, gateway, Upstreams.
 */
export class RoundRobin implements Chooser {
  readonly #shares: readonly Share[];
  readonly #turns: Turns;

  constructor(shares: readonly Share[]) {
    this.#shares = shares;
    this.#turns = new Turns(shares);
  }

  choose(_hash: number | undefined, nowMs: number, tried: Tried | undefined, level: Level): Endpoint | undefined {
    for (;;) {
      const turn = this.#earliest(nowMs, tried, level);
      const endpoint = this.#shares[turn]?.endpoint;
      if (endpoint === undefined) return undefined;
      if (this.#turns.catchUp(turn)) continue;
      if (level === untroubled && tried === undefined) this.#turns.take(turn);
      else this.#turns.takeAhead(turn);
      return endpoint;
    }
  }

  leave(): void {
    this.#turns.leave();
  }

  /** -1 when there is none. */
  #earliest(nowMs: number, tried: Tried | undefined, level: Level): number {
    const shares = this.#shares;
    const { at } = this.#turns;
    let earliest = -1;
    let earliestAt = Number.POSITIVE_INFINITY;
    for (let turn = 0; turn < at.length; turn += 1) {
      const turnAt = at[turn] ?? Number.POSITIVE_INFINITY;
      if (turnAt >= earliestAt) continue;
      const share = shares[turn];
      if (share === undefined || !isEligible(share.endpoint, nowMs, tried, level)) continue;
      earliest = turn;
      earliestAt = turnAt;
    }
    return earliest;
  }
}
