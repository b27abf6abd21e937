import type { UpstreamAddress } from '../transport/undici-client.ts';
import type { UpstreamPools } from '../transport/upstream-pools.ts';
import { RoundRobin, type Balancer } from './balancer.ts';
import type { ServicePlan } from './service-plans.ts';

/** The balancers of one generation, and the clients that they hold. */
export class BalancerPool {
  readonly #pools: UpstreamPools;
  readonly #balancers = new Map<string, Balancer>();
  readonly #held: UpstreamAddress[] = [];

  constructor(pools: UpstreamPools) {
    this.#pools = pools;
  }

  /** The balancer of a service for a connect time-out. Services of one upstream take turns together. */
  of(plan: ServicePlan, connectTimeoutMs: number): Balancer {
    const key = `${plan.poolKey} ${connectTimeoutMs}`;
    const known = this.#balancers.get(key);
    if (known !== undefined) return known;
    const weighted = plan.targets.map(({ id, address, authority, weight }) => {
      const full = { ...address, connectTimeoutMs };
      this.#held.push(full);
      return { target: { id, client: this.#pools.acquire(full), authority }, weight };
    });
    const created = new RoundRobin(weighted);
    this.#balancers.set(key, created);
    return created;
  }

  /** Gives all clients back. */
  release(): void {
    for (const address of this.#held.splice(0)) this.#pools.release(address);
  }
}
