import { COUNTERS_MAX, type ClientUsages, type UsagesUser } from './client-usages.ts';
import { Counters } from './counters.ts';
import type { LimitWindow } from './limit-window.ts';
import type { Usage } from './usage.ts';

/** How one limit stands after a decision. */
export interface LimitStanding {
  readonly window: LimitWindow;
  /** Units that are left; requests, where each costs one. */
  readonly remaining: number;
  /**
   * Whole seconds, at least 1, until there is more room: the end of the window, or with `sliding` of the oldest request. Of a
   * limit that refuses: until a request like this one has room.
   */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
}

/** Settings of {@link RequestLimits}. */
export interface RequestLimitsOptions {
  readonly windows: readonly LimitWindow[];
  readonly isSliding: boolean;
  /** See `ClientUsages`. */
  readonly onCrowded: () => void;
  /** Default: {@link COUNTERS_MAX}. */
  readonly countersMax?: number;
  /** Units that a request takes, at least 1. Default 1. */
  readonly cost?: number;
  /** Counters to share with others. Default: a set of its own. */
  readonly counters?: Counters;
}

/** A window, and where its clients are counted. */
interface Place {
  readonly window: LimitWindow;
  readonly user: UsagesUser;
  readonly usages: ClientUsages;
}

/** The limits of one instance, per client and in memory. Moments that it is given never go back. */
export class RequestLimits {
  readonly #cost: number;
  readonly #counters: Counters;
  readonly #isSliding: boolean;
  readonly #places: readonly Place[];
  /** What the request at hand has in each window: kept between calls to save two lists. */
  readonly #usages: Usage[] = [];
  readonly #used: number[] = [];

  constructor(options: RequestLimitsOptions) {
    const { windows, isSliding, onCrowded, countersMax = COUNTERS_MAX, cost = 1, counters = new Counters() } = options;
    this.#cost = cost;
    this.#counters = counters;
    this.#isSliding = isSliding;
    const clientsMax = Math.max(1, Math.floor(countersMax / windows.length));
    this.#places = windows.map((window) => {
      const user = { clientsMax, refusedFrom: Math.max(1, window.limit - cost + 1), onCrowded };
      return { window, user, usages: counters.join(window, isSliding, user) };
    });
  }

  /** Clients that are counted now, in the window that has most. */
  get size(): number {
    return Math.max(...this.#places.map(({ usages }) => usages.size));
  }

  /**
   * Decides one request, and counts it only when all limits have room. A refused request counts nowhere.
   * Source: wire, Rate-limit headers.
   */
  take(client: string, nowMs: number): readonly LimitStanding[] {
    const hasRoom = this.#look(client, nowMs, this.#cost);
    if (hasRoom) this.#count(nowMs, this.#cost);
    return this.#standings(nowMs, hasRoom ? 0 : this.#cost, 0);
  }

  /**
   * Decides one request and counts nothing.
   * @param held units that others may still be charged: there is no room for them
   */
  peek(client: string, nowMs: number, held: number): readonly LimitStanding[] {
    this.#look(client, nowMs, this.#cost);
    return this.#standings(nowMs, this.#cost, held);
  }

  /** Counts units of a request that was let through, whether there is room or not. @param units at least 0 */
  charge(client: string, nowMs: number, units: number): readonly LimitStanding[] {
    this.#look(client, nowMs, units);
    if (units > 0) this.#count(nowMs, units);
    return this.#standings(nowMs, 0, 0);
  }

  /** Ends the use of counters that others share. */
  release(): void {
    for (const { window, user } of this.#places) this.#counters.leave(window, this.#isSliding, user);
  }

  #look(client: string, nowMs: number, cost: number): boolean {
    let hasRoom = true;
    for (let index = 0; index < this.#places.length; index += 1) {
      const { window, usages } = this.#places[index] as Place;
      const usage = usages.find(client, nowMs);
      const used = usage.used(nowMs);
      this.#usages[index] = usage;
      this.#used[index] = used;
      if (used + cost > window.limit) hasRoom = false;
    }
    return hasRoom;
  }

  #count(nowMs: number, units: number): void {
    for (let index = 0; index < this.#places.length; index += 1) {
      (this.#usages[index] as Usage).count(nowMs, units);
      this.#used[index] = (this.#used[index] as number) + units;
    }
    if (this.#counters.budget.isScarce) this.#counters.sweep(nowMs);
  }

  /** @param cost of the request that has to have room; 0 when it was counted */
  #standings(nowMs: number, cost: number, held: number): readonly LimitStanding[] {
    const standings: LimitStanding[] = [];
    for (let index = 0; index < this.#places.length; index += 1) {
      const { window } = this.#places[index] as Place;
      const usage = this.#usages[index] as Usage;
      const used = this.#used[index] as number;
      const isUsedUp = cost > 0 && used + cost > window.limit;
      const isExceeded = isUsedUp || (cost > 0 && used + held + cost > window.limit);
      const resetMs = isUsedUp ? usage.waitMs(nowMs, window.limit - cost) : isExceeded ? 1000 : usage.resetMs(nowMs);
      const remaining = Math.max(0, window.limit - used);
      standings.push({ window, remaining, resetSeconds: Math.ceil(resetMs / 1000), isExceeded });
    }
    return standings;
  }
}
