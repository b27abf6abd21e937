import type { Strategy } from '../routing/route.ts';
import type { RankedTarget } from '../routing/target-order.ts';

/** Why a target stands where it does, in a few words. */
export function rankReason(strategy: Strategy | undefined, ranked: RankedTarget): string {
  const { target, score, share, liveLatencyMs } = ranked;
  switch (strategy) {
    case 'priority':
      return `priority ${target.priority}`;
    case 'weighted':
      return target.weight === 0 || share === undefined
        ? 'no weight: never first'
        : `first for ${Math.round(1000 * share) / 10} % of requests`;
    case 'least_latency':
      if (liveLatencyMs !== undefined) return `${Math.round(liveLatencyMs)} ms measured`;
      return target.latencyMs === undefined ? 'latency not known' : `${target.latencyMs} ms configured`;
    case 'semantic':
      return score === undefined ? 'does not score' : `similarity ${score.toFixed(3)}`;
    default:
      return 'place in the array';
  }
}
