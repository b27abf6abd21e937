import { ConsistentHashing } from './consistent-hashing.ts';
import { isEligible, healthy, untried, untroubled, type Chooser, type Share, type Tried } from './eligibility.ts';
import type { Endpoint } from './endpoint.ts';
import { LeastConnections } from './least-connections.ts';
import { LeastLatency } from './least-latency.ts';
import { RoundRobin } from './round-robin.ts';
import type { UpstreamPlan } from './upstream-plan.ts';

/** The endpoints of one priority. */
export class Tier {
  readonly shares: readonly Share[];
  readonly #chooser: Chooser;

  constructor(shares: readonly Share[], plan: Pick<UpstreamPlan, 'algorithm' | 'slots'>, random: () => number) {
    this.shares = shares;
    this.#chooser = chooserFor(shares, plan, random);
  }

  /** One that was not tried yet: rather one without trouble. */
  chooseUntried(hash: number | undefined, nowMs: number, tried: Tried | undefined): Endpoint | undefined {
    return this.#chooser.choose(hash, nowMs, tried, untroubled) ?? this.#chooser.choose(hash, nowMs, tried, untried);
  }

  /** Any healthy one. */
  chooseAny(hash: number | undefined, nowMs: number): Endpoint | undefined {
    return this.#chooser.choose(hash, nowMs, undefined, healthy);
  }

  /** Whether there is a healthy one; with `tried`, one besides those. */
  has(tried: Tried | undefined): boolean {
    return this.shares.some(({ endpoint }) => isEligible(endpoint, 0, tried, untried));
  }

  /** Another tier takes over. */
  leave(): void {
    this.#chooser.leave();
  }
}

function chooserFor(
  shares: readonly Share[],
  { algorithm, slots }: Pick<UpstreamPlan, 'algorithm' | 'slots'>,
  random: () => number,
): Chooser {
  if (algorithm === 'least-connections') return new LeastConnections(shares);
  if (algorithm === 'latency') return new LeastLatency(shares, random);
  return algorithm === 'consistent-hashing' ? new ConsistentHashing(shares, slots) : new RoundRobin(shares);
}
