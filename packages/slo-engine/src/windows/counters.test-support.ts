import { isBadEvent, latencyThresholdUs, type Objective } from '../objective.ts';
import { type BinRange, slowRequests } from './counter-bounds.ts';
import type { CutEvents, JudgedCounter } from './window-counts.ts';
import type { WindowPlan } from './plan-window.ts';

/** A request as it was sent to the store: more than once, perhaps. */
export interface SentEvent {
  readonly id: number;
  readonly atMs: number;
  readonly status: number;
  readonly latencyUs: number;
}

const minuteMs = 60_000;
const subBuckets = 8;
/** Longer latencies share the last bin, which has no end. */
const lastBin = 160;

/** A coarse log-linear histogram: exact below 8 µs, then 8 bins an octave. */
export function binOf(latencyUs: number): number {
  let bin = 0;
  while (bin < lastBin && binRange(bin + 1).leastUs <= latencyUs) bin += 1;
  return bin;
}

const startOf = (bin: number): number => {
  if (bin < subBuckets) return bin;
  return ((bin % subBuckets) + subBuckets) * 2 ** (Math.floor(bin / subBuckets) - 1);
};

export const binRange: BinRange = (bin) => ({
  leastUs: startOf(bin),
  mostUs: bin === lastBin ? Number.POSITIVE_INFINITY : startOf(bin + 1) - 1,
});

interface StoredCounter {
  readonly grainMinutes: number;
  readonly first: number;
  requests: number;
  errors: number;
  over: number;
  readonly histogram: Map<number, number>;
}

/** What a control plane keeps of events: counters of some lengths, each event once. */
export class CounterStore {
  readonly #seen = new Set<number>();
  readonly #counters = new Map<string, StoredCounter>();
  readonly #grainsMinutes: readonly number[];
  readonly #objective: Objective;
  /** Counters that begin here or later are counted against the threshold. */
  readonly #exactSinceMinute: number;

  constructor(objective: Objective, grainsMinutes: readonly number[], exactSinceMinute: number) {
    this.#objective = objective;
    this.#grainsMinutes = grainsMinutes;
    this.#exactSinceMinute = exactSinceMinute;
  }

  take(event: SentEvent): void {
    if (this.#seen.has(event.id)) return;
    this.#seen.add(event.id);
    for (const grainMinutes of this.#grainsMinutes) {
      const first = Math.floor(event.atMs / minuteMs / grainMinutes) * grainMinutes;
      const key = `${grainMinutes}/${first}`;
      const counter = this.#counters.get(key) ?? emptyCounter(grainMinutes, first);
      this.#counters.set(key, counter);
      counter.requests += 1;
      if (event.status >= 500 && event.status <= 599) counter.errors += 1;
      if (this.#objective.type === 'latency' && isBad(this.#objective, event)) counter.over += 1;
      const bin = binOf(event.latencyUs);
      counter.histogram.set(bin, (counter.histogram.get(bin) ?? 0) + 1);
    }
  }

  *judged(): Generator<JudgedCounter> {
    for (const counter of this.#counters.values()) {
      const { grainMinutes, first, requests, errors, over, histogram } = counter;
      const known = first >= this.#exactSinceMinute ? over : undefined;
      const bad =
        this.#objective.type === 'availability'
          ? errors
          : slowRequests({ requests, over: known, histogram }, latencyThresholdUs(this.#objective), binRange);
      yield { grainMinutes, first, total: requests, bad };
    }
  }
}

function emptyCounter(grainMinutes: number, first: number): StoredCounter {
  return { grainMinutes, first, requests: 0, errors: 0, over: 0, histogram: new Map() };
}

export function isBad(objective: Objective, { status, latencyUs }: SentEvent): boolean {
  return isBadEvent(objective, { status, latency_us: latencyUs });
}

/** What every event says of a window, each counted once. */
export function oracleCounts(
  objective: Objective,
  events: readonly SentEvent[],
  isInside: (atMs: number) => boolean,
): { total: bigint; bad: bigint } {
  const unique = new Map(events.map((event) => [event.id, event]));
  let total = 0n;
  let bad = 0n;
  for (const event of unique.values()) {
    if (!isInside(event.atMs)) continue;
    total += 1n;
    if (isBad(objective, event)) bad += 1n;
  }
  return { total, bad };
}

/** The events that the counter which the window cuts has inside. */
export function cutEvents(objective: Objective, events: readonly SentEvent[], plan: WindowPlan): CutEvents {
  const endMs = Math.min(plan.cut.end * minuteMs - 1, plan.toMs);
  const counts = oracleCounts(objective, events, (atMs) => atMs > plan.fromMs && atMs <= endMs);
  return { total: Number(counts.total), bad: Number(counts.bad) };
}

/** The events that the counter in which the window ends has inside. */
export function lastEvents(objective: Objective, events: readonly SentEvent[], plan: WindowPlan): CutEvents {
  const { first, end } = plan.last;
  const isInside = (atMs: number): boolean => atMs >= first * minuteMs && atMs < end * minuteMs && atMs <= plan.toMs;
  const counts = oracleCounts(objective, events, isInside);
  return { total: Number(counts.total), bad: Number(counts.bad) };
}
