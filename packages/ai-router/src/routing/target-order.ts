import type { AttemptOutcome } from '../attempt.ts';
import { LatencyBook } from './latency-book.ts';
import { RecentMap } from './recent-map.ts';
import type { ModelRoute, Target } from './route.ts';
import { hintIndexOf } from './semantic/hint-index.ts';
import { SmoothWeights, weightsSignature } from './smooth-weights.ts';

/** Weighted routes whose place in their sequence is kept. One that is forgotten begins anew. */
export const WEIGHT_STATES_MAX = 4096;

/** What an order depends on. */
export interface OrderRequest {
  /** Whether the time to the first event counts, or that of the whole answer. */
  readonly stream: boolean;
  /** The text that hints are compared with; asked for by semantic routes only. See `routingPrompt`. */
  promptText(): string;
}

/** How an attempt went. */
export interface LatencySample {
  readonly stream: boolean;
  /** Successes count, and timeouts with the limit as their latency; a provider that fails fast must not look fast. */
  readonly outcome: AttemptOutcome;
  /** Of the whole answer, in milliseconds; for a timeout the limit that was reached. */
  readonly latencyMs: number;
  /** To the first valid event, in milliseconds. */
  readonly ttftMs?: number;
}

/** A target with why it stands where it does. */
export interface RankedTarget {
  readonly target: Target;
  /** Similarity of the prompt; semantic routes, where it counts. */
  readonly score?: number;
  /** Measured, in milliseconds. */
  readonly liveLatencyMs?: number;
  /** Part of the route's requests that it is first for, 0..1; weighted routes. */
  readonly share?: number;
}

/** Time in milliseconds from any moment on; never goes back. */
export interface OrderClock {
  monotonicMs(): number;
}

/** What never changes about a route. */
interface Prepared {
  readonly targets: readonly Target[];
  /** The order of a route whose order never changes. */
  readonly fixed?: readonly Target[];
  readonly signature?: string;
}

/**
 * Orders the targets of a tenant's routes, with what it learns of them: where each weighted route is in its sequence, by its ID and targets, and how fast each provider's model
 * is. Make one for each tenant. Bounded: {@link WEIGHT_STATES_MAX}, `LATENCY_SERIES_MAX`. Source: spec, AI gateway records; ai, 2.8 to 2.10.
 */
export class TargetOrder {
  readonly #clock: OrderClock;
  readonly #latencies = new LatencyBook();
  readonly #weights = new RecentMap<SmoothWeights>(WEIGHT_STATES_MAX);
  readonly #prepared = new WeakMap<ModelRoute, Prepared>();

  constructor(clock: OrderClock) {
    this.#clock = clock;
  }

  /** All enabled targets, each provider's model once, in the order in which they are to be tried. A weighted route goes on by one. */
  order(route: ModelRoute, request: OrderRequest): readonly Target[] {
    const prepared = this.#prepare(route);
    const { targets, fixed } = prepared;
    if (fixed !== undefined) return fixed;
    if (route.strategy === 'weighted') {
      return withoutRepeats(
        this.#weightsOf(route, prepared)
          .next()
          .map((index) => targets[index] as Target),
      );
    }
    const order = withoutRepeats(this.#rank(route, prepared, request).map(({ target }) => target));
    const [first] = order;
    if (route.strategy === 'least_latency' && first !== undefined) {
      this.#latencies.noteTrial(first, this.#clock.monotonicMs());
    }
    return order;
  }

  /** The order that {@link order} would give now, and why; nothing moves. Repeated targets are left out as there. */
  explain(route: ModelRoute, request: OrderRequest): readonly RankedTarget[] {
    const prepared = this.#prepare(route);
    const seen = new Set<string>();
    return this.#rank(route, prepared, request).filter(({ target }) => isNew(seen, target));
  }

  /** Learns from an attempt. */
  noteLatency(route: ModelRoute, target: Target, sample: LatencySample): void {
    this.#latencies.note(target, sample, route.latencyEwmaAlpha, this.#clock.monotonicMs());
  }

  #rank(route: ModelRoute, prepared: Prepared, request: OrderRequest): readonly RankedTarget[] {
    const { targets } = prepared;
    switch (route.strategy) {
      case 'ordered':
        return targets.map((target) => ({ target }));
      case 'priority':
        return byPriority(targets).map((target) => ({ target }));
      case 'weighted':
        return this.#rankByWeight(route, prepared);
      case 'least_latency':
        return this.#rankByLatency(route, targets, request.stream);
      case 'semantic':
        return rankByScore(targets, hintIndexOf(route).scores(request.promptText()));
    }
  }

  #rankByWeight(route: ModelRoute, prepared: Prepared): readonly RankedTarget[] {
    const { targets } = prepared;
    const sum = targets.reduce((total, { weight }) => total + weight, 0);
    return this.#weightsOf(route, prepared)
      .peek()
      .map((index) => targets[index] as Target)
      .map((target) => (sum === 0 ? { target } : { target, share: target.weight / sum }));
  }

  #rankByLatency(route: ModelRoute, targets: readonly Target[], stream: boolean): readonly RankedTarget[] {
    const nowMs = this.#clock.monotonicMs();
    const isLast = route.latencyColdStart === 'last';
    return targets
      .map((target) => {
        const liveLatencyMs = this.#latencies.liveMs(target, stream, nowMs);
        const configuredMs = target.latencyMs ?? Infinity;
        const isBehind = isLast && liveLatencyMs === undefined;
        const ranked = { target, ...(liveLatencyMs !== undefined && { liveLatencyMs }) };
        return { ranked, isBehind, latencyMs: liveLatencyMs ?? configuredMs };
      })
      .toSorted(
        (one, other) =>
          Number(one.isBehind) - Number(other.isBehind) ||
          compared(one.latencyMs, other.latencyMs) ||
          other.ranked.target.priority - one.ranked.target.priority,
      )
      .map(({ ranked }) => ranked);
  }

  #weightsOf(route: ModelRoute, { targets, signature = '' }: Prepared): SmoothWeights {
    // With the targets in it: plugins that share a route, and of which one lacks a provider, have a sequence each.
    const key = `${route.id}\n${signature}`;
    const known = this.#weights.get(key);
    if (known !== undefined) return known;
    const weights = new SmoothWeights(targets.map(({ weight }) => weight));
    this.#weights.set(key, weights);
    return weights;
  }

  #prepare(route: ModelRoute): Prepared {
    const known = this.#prepared.get(route);
    if (known !== undefined) return known;
    const targets = route.targets.filter(({ enabled }) => enabled);
    const { strategy } = route;
    const isFixed = targets.length < 2 || strategy === 'ordered' || strategy === 'priority';
    const prepared: Prepared = {
      targets,
      ...(isFixed && { fixed: withoutRepeats(strategy === 'priority' ? byPriority(targets) : targets) }),
      ...(strategy === 'weighted' && { signature: weightsSignature(targets) }),
    };
    this.#prepared.set(route, prepared);
    return prepared;
  }
}

/** Equal ones keep the array's order. */
function byPriority(targets: readonly Target[]): readonly Target[] {
  return targets.toSorted((one, other) => other.priority - one.priority);
}

/** Scored targets by score, then the others; equal ones keep the array's order. */
function rankByScore(targets: readonly Target[], scores: readonly (number | undefined)[]): readonly RankedTarget[] {
  return targets
    .map((target, index) => ({ target, score: scores[index] }))
    .toSorted((one, other) => (other.score ?? 0) - (one.score ?? 0))
    .map(({ target, score }) => (score === undefined ? { target } : { target, score }));
}

/** Both may be infinite. */
function compared(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

/** Each target is tried once at most: of a provider's model that is there twice the first counts. Source: spec, AI gateway. */
function withoutRepeats(targets: readonly Target[]): readonly Target[] {
  if (targets.length < 2) return targets;
  const seen = new Set<string>();
  return targets.filter((target) => isNew(seen, target));
}

function isNew(seen: Set<string>, { provider, model }: Target): boolean {
  const key = `${provider}\n${model}`;
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}
