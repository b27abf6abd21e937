import { isEligible, type Chooser, type Level, type Share, type Tried } from './eligibility.ts';
import { Draws } from './draws.ts';
import { latencyDecayMs, type Endpoint } from './endpoint.ts';

/** Draws before all endpoints are looked at: most of them cannot be used then. */
const drawsMax = 8;

/** What a request in flight costs where no answer has been measured yet: one request finds out, and others wait for it. */
const unmeasuredMs = 1000;

/**
 * Latency: two endpoints are drawn, and the cheaper one is taken (power of two choices). The cost is the peak EWMA of the time to
 * the answer's head, times the requests in flight and this one, over the weight. A measure fades with time, so that an
 * endpoint that was slow is asked again. O(1), and no herd runs to the one that was fastest a moment ago.
 */
export class LeastLatency implements Chooser {
  readonly #shares: readonly Share[];
  readonly #draws: Draws;

  /** @param random uniform in [0, 1) */
  constructor(shares: readonly Share[], random: () => number) {
    this.#shares = shares;
    this.#draws = new Draws(random);
  }

  choose(_hash: number | undefined, nowMs: number, tried: Tried | undefined, level: Level): Endpoint | undefined {
    const shares = this.#shares;
    if (shares.length <= 2) return this.#cheapest(nowMs, tried, level);
    let first: Share | undefined;
    for (let draw = 0; draw < drawsMax; draw += 1) {
      const drawn = shares[this.#draws.below(shares.length)];
      if (drawn === undefined || drawn === first || !isEligible(drawn.endpoint, nowMs, tried, level)) continue;
      if (first === undefined) first = drawn;
      else return costOf(drawn, nowMs) < costOf(first, nowMs) ? drawn.endpoint : first.endpoint;
    }
    return this.#cheapest(nowMs, tried, level);
  }

  leave(): void {
    // Latencies are the endpoints' own.
  }

  #cheapest(nowMs: number, tried: Tried | undefined, level: Level): Endpoint | undefined {
    const shares = this.#shares;
    if (shares.length === 0) return undefined;
    let best: Endpoint | undefined;
    let lowest = Number.POSITIVE_INFINITY;
    // From a random place: those that cost the same share.
    const offset = this.#draws.below(shares.length);
    for (let index = 0; index < shares.length; index += 1) {
      const share = shares[(index + offset) % shares.length];
      if (share === undefined || !isEligible(share.endpoint, nowMs, tried, level)) continue;
      const cost = costOf(share, nowMs);
      if (cost >= lowest) continue;
      best = share.endpoint;
      lowest = cost;
    }
    return best;
  }
}

function costOf({ endpoint: { latency, inFlight }, weight }: Share, nowMs: number): number {
  const averageMs = latency[0] ?? Number.NaN;
  if (Number.isNaN(averageMs)) return (unmeasuredMs * inFlight) / weight;
  const faded = averageMs * Math.exp(((latency[1] ?? 0) - nowMs) / latencyDecayMs);
  return (faded * (inFlight + 1)) / weight;
}
