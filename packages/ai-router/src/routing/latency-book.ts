import { MovingAverage } from './moving-average.ts';
import { RecentMap } from './recent-map.ts';
import type { Target } from './route.ts';
import type { LatencySample } from './target-order.ts';

/** Providers' models whose latencies are kept. Beyond, the one forgotten is that of which nothing was heard for longest. */
export const LATENCY_SERIES_MAX = 4096;

/** Both latencies of a provider's model: of whole answers, and to the first event of streams. */
interface Latencies {
  readonly total: MovingAverage;
  readonly firstEvent: MovingAverage;
}

/** What is known of how fast targets are, by provider and model: routes share it. */
export class LatencyBook {
  readonly #series = new RecentMap<Latencies>(LATENCY_SERIES_MAX);

  get size(): number {
    return this.#series.size;
  }

  /** Counts a success, or a timeout with its limit; failures that came fast would make a target look good. */
  note(target: Target, sample: LatencySample, alpha: number, nowMs: number): void {
    const { stream, outcome, latencyMs, ttftMs = latencyMs } = sample;
    if (outcome !== 'success' && outcome !== 'timeout') return;
    const measuredMs = stream && outcome === 'success' ? ttftMs : latencyMs;
    if (!Number.isFinite(measuredMs) || measuredMs < 0) return;
    const key = keyOf(target);
    let latencies = this.#series.get(key);
    if (latencies === undefined) {
      latencies = { total: new MovingAverage(), firstEvent: new MovingAverage() };
      this.#series.set(key, latencies);
    }
    (stream ? latencies.firstEvent : latencies.total).note(measuredMs, alpha, nowMs);
  }

  /** A target is tried first. What is known of it and old counts as it was until the trial's sample comes. */
  noteTrial(target: Target, nowMs: number): void {
    const latencies = this.#series.peek(keyOf(target));
    latencies?.total.noteTrial(nowMs);
    latencies?.firstEvent.noteTrial(nowMs);
  }

  /** The measured latency of a target in milliseconds: for the kind of answer, or else of the other kind. */
  liveMs(target: Target, stream: boolean, nowMs: number): number | undefined {
    const latencies = this.#series.peek(keyOf(target));
    if (latencies === undefined) return undefined;
    const { total, firstEvent } = latencies;
    const [first, second] = stream ? [firstEvent, total] : [total, firstEvent];
    return first.at(nowMs, target.latencyMs) ?? second.at(nowMs, target.latencyMs);
  }
}

function keyOf({ provider, model }: Target): string {
  return `${provider}\n${model}`;
}
