import type { Share, Tried } from './eligibility.ts';
import type { Endpoint } from './endpoint.ts';
import { Tier } from './tier.ts';
import type { UpstreamPlan } from './upstream-plan.ts';

/** A share with its priority. */
export interface RankedShare extends Share {
  readonly priority: number;
}

/** Why there is no endpoint for a request. */
export type Refusal = 'closed' | 'no_target' | 'unresolved' | 'unusable' | 'below_threshold';

/** Endpoints in tiers as they stand now; made anew when an address comes or goes. */
export class Roster {
  readonly #tiers: readonly Tier[];
  /** The one endpoint of most services: nothing is to be chosen. */
  readonly #only: Endpoint | undefined;
  readonly #onlyWeight: number;
  readonly #thresholdPercent: number;
  readonly #isClosed: boolean;
  /** Weight of all targets, also of those whose name stands for nothing. */
  readonly #wholeWeight: number;

  constructor(shares: readonly RankedShare[], plan: UpstreamPlan, random: () => number) {
    this.#only = shares.length === 1 ? shares[0]?.endpoint : undefined;
    this.#tiers = this.#only === undefined ? tiersOf(shares, plan, random) : [];
    this.#onlyWeight = this.#only === undefined ? 0 : (shares[0]?.weight ?? 0);
    this.#thresholdPercent = plan.healthchecks?.threshold ?? 0;
    this.#isClosed = plan.isClosed;
    this.#wholeWeight = plan.targets.reduce((sum, { weight }) => sum + weight, 0);
  }

  /** Whether there is anything to choose from, well or not. */
  get isEmpty(): boolean {
    return this.#only === undefined && this.#tiers.length === 0;
  }

  /**
   * The endpoint for an attempt: of the best tier that has one that is healthy, and rather one that was not tried.
   * @param leavesTier whether a worse tier is better than an endpoint that was tried before: no connection could be made to it
   */
  choose(hash: number | undefined, nowMs: number, tried: Tried | undefined, leavesTier: boolean): Endpoint | undefined {
    if (this.#thresholdPercent > 0 && !this.#isAboveThreshold()) return undefined;
    if (this.#only !== undefined) return this.#only.health.usable ? this.#only : undefined;
    for (const tier of this.#tiers) {
      const found = tier.chooseUntried(hash, nowMs, tried);
      if (found !== undefined) return found;
      if (tried === undefined || leavesTier) continue;
      const again = tier.chooseAny(hash, nowMs);
      if (again !== undefined) return again;
    }
    if (tried === undefined) return undefined;
    for (const tier of this.#tiers) {
      const found = tier.chooseAny(hash, nowMs);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Whether a retry would reach an endpoint that was not tried. */
  hasUntried(tried: Tried, leavesTier: boolean): boolean {
    if (this.#only !== undefined) return this.#only.health.usable && !tried.includes(this.#only);
    for (const tier of this.#tiers) {
      if (tier.has(tried)) return true;
      if (!leavesTier && tier.has(undefined)) return false;
    }
    return false;
  }

  /** Whether there are several endpoints, and others than one to prefer. */
  get hasSeveral(): boolean {
    return this.#only === undefined;
  }

  /** Why {@link choose} finds none. */
  refusal(): Refusal {
    if (this.#isClosed) return 'closed';
    if (this.isEmpty) return this.#wholeWeight > 0 ? 'unresolved' : 'no_target';
    return this.#thresholdPercent > 0 && !this.#isAboveThreshold() ? 'below_threshold' : 'unusable';
  }

  /** Another roster takes over. */
  leave(): void {
    for (const tier of this.#tiers) tier.leave();
  }

  /** One pass over plain fields; only upstreams that ask for a threshold pay it. */
  #isAboveThreshold(): boolean {
    let usable = this.#only?.health.usable === true ? this.#onlyWeight : 0;
    for (const { shares } of this.#tiers) {
      for (const { endpoint, weight } of shares) if (endpoint.health.usable) usable += weight;
    }
    // Parts of a target's weight do not add up to it exactly.
    return usable * 100 >= this.#thresholdPercent * this.#wholeWeight * (1 - 1e-9) && usable > 0;
  }
}

function tiersOf(shares: readonly RankedShare[], plan: UpstreamPlan, random: () => number): Tier[] {
  const byPriority = new Map<number, RankedShare[]>();
  for (const share of shares) {
    const list = byPriority.get(share.priority);
    if (list === undefined) byPriority.set(share.priority, [share]);
    else list.push(share);
  }
  return [...byPriority].sort(([a], [b]) => b - a).map(([, list]) => new Tier(list, plan, random));
}
