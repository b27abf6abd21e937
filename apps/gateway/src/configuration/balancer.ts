import type { UpstreamClient } from '../transport/upstream-transport.ts';

/** One address that requests go to. */
export interface Target {
  /** Record ID of the target; `undefined` for the address of a service's own URL. */
  readonly id: string | undefined;
  readonly client: UpstreamClient;
  /** `host[:port]` as it stands in the `host` header when nothing else is configured. */
  readonly authority: string;
}

/** Chooses the target of each request. */
export interface Balancer {
  /** How many targets there are. */
  readonly size: number;
  /**
   * The next target; `undefined` when there is none.
   * @param tried targets to leave out, unless no other is left
   */
  next(tried?: ReadonlySet<Target>): Target | undefined;
}

/** A target with its share. */
export interface WeightedTarget {
  readonly target: Target;
  /** 1 or more. */
  readonly weight: number;
}

/**
 * Smooth weighted round robin: every target comes as often as its weight says, and the turns of a heavy one are spread
 * out. Source: design, gateway, Upstreams.
 */
export class RoundRobin implements Balancer {
  readonly size: number;
  readonly #targets: readonly WeightedTarget[];
  readonly #current: number[];
  readonly #totalWeight: number;
  readonly #only: Target | undefined;

  constructor(targets: readonly WeightedTarget[]) {
    this.#targets = targets;
    this.size = targets.length;
    this.#current = targets.map(() => 0);
    this.#totalWeight = targets.reduce((sum, { weight }) => sum + weight, 0);
    this.#only = targets.length === 1 ? targets[0]?.target : undefined;
  }

  next(tried?: ReadonlySet<Target>): Target | undefined {
    if (this.#only !== undefined) return this.#only;
    let chosen = -1;
    let highest = Number.NEGATIVE_INFINITY;
    const avoided = tried !== undefined && tried.size < this.size ? tried : undefined;
    for (const [index, { target, weight }] of this.#targets.entries()) {
      if (avoided?.has(target) === true) continue;
      const current = (this.#current[index] ?? 0) + weight;
      this.#current[index] = current;
      if (current > highest) [chosen, highest] = [index, current];
    }
    if (chosen === -1) return undefined;
    this.#current[chosen] = highest - this.#totalWeight;
    return this.#targets[chosen]?.target;
  }
}
