import { isDeepStrictEqual } from 'node:util';
import { UpstreamBalancer, type BalancingPorts } from './upstream-balancer.ts';
import type { UpstreamPlan } from './upstream-plan.ts';
import { UpstreamState } from './upstream-state.ts';

/** What is counted of one upstream. */
export interface UpstreamFigures {
  /** `upstream` or `service`, and the record's ID. */
  readonly key: string;
  readonly inFlight: number;
  readonly retriesSent: number;
  readonly retriesRefused: number;
}

interface Entry {
  readonly state: UpstreamState;
  newest: UpstreamBalancer | undefined;
  /** The plan that was last found to say what the newest one's says: services of one upstream ask with one plan. */
  latestPlan: UpstreamPlan | undefined;
  balancers: number;
}

/**
 * The balancing of the process. It outlives configurations: what is known of an upstream's endpoints is kept under the upstream's key,
 * for as long as any configuration has it.
 */
export class Balancing {
  readonly #ports: BalancingPorts;
  readonly #entries = new Map<string, Entry>();

  constructor(ports: BalancingPorts) {
    this.#ports = ports;
  }

  /** The balancer of a plan: the one that is there, if its plan says the same. Each call wants one {@link release}. */
  acquire(plan: UpstreamPlan): UpstreamBalancer {
    const entry = this.#entries.get(plan.key) ?? newEntry();
    this.#entries.set(plan.key, entry);
    const { newest } = entry;
    const isSame = newest?.isRetired === false && (entry.latestPlan === plan || isDeepStrictEqual(newest.plan, plan));
    if (newest !== undefined && isSame) {
      newest.users += 1;
      newest.futureUsers += 1;
      entry.latestPlan = plan;
      return newest;
    }
    const hasEndpoints = newest?.handOver() === true;
    const next = new UpstreamBalancer(plan, entry.state, this.#ports);
    if (hasEndpoints) next.takeOver();
    entry.newest = next;
    entry.latestPlan = plan;
    entry.balancers += 1;
    return next;
  }

  /**
   * Nothing new is balanced with it by one of those that {@link acquire}d it: called once before {@link release}. After the last
   * of them its checks and look-ups of names end, however long a request still has it.
   */
  retire(balancer: UpstreamBalancer): void {
    balancer.futureUsers -= 1;
    if (balancer.futureUsers === 0) balancer.retire();
  }

  /** Gives a balancer back. With the last one its endpoints are let go: requests in flight finish. */
  release(balancer: UpstreamBalancer): void {
    balancer.users -= 1;
    if (balancer.users > 0) return;
    balancer.dispose();
    const { key } = balancer.plan;
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    if (entry.newest === balancer) entry.newest = undefined;
    entry.balancers -= 1;
    if (entry.balancers === 0) this.#entries.delete(key);
  }

  /** Names are resolved no more: the process ends. */
  stop(): void {
    this.#ports.names.stop();
  }

  /** What is counted of each upstream that has had a request, for metrics; of all its plans together. */
  figures(): Iterable<UpstreamFigures> {
    const found = new Map<string, UpstreamFigures>();
    for (const { state, latestPlan } of this.#entries.values()) {
      if (!state.hasRequests || latestPlan === undefined) continue;
      let inFlight = 0;
      for (const endpoint of state.endpoints()) inFlight += endpoint.inFlight;
      const { sent, refused } = state.retries;
      const key = latestPlan.seriesKey;
      const known = found.get(key) ?? { key, inFlight: 0, retriesSent: 0, retriesRefused: 0 };
      found.set(key, {
        key,
        inFlight: known.inFlight + inFlight,
        retriesSent: known.retriesSent + sent,
        retriesRefused: known.retriesRefused + refused,
      });
    }
    return found.values();
  }
}

function newEntry(): Entry {
  return { state: new UpstreamState(), newest: undefined, latestPlan: undefined, balancers: 0 };
}
