import type { MetricList } from '../status/metrics.ts';

/** Values by which histograms are told apart from counters of the same labels. */
interface Value {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

interface Counted {
  readonly name: string;
  readonly help: string;
  readonly type: unknown;
  readonly aggregator: unknown;
  readonly values: Map<string, Value>;
}

/**
 * What workers had counted when they ended, as far as they were asked: a counter of the node never falls because one of its
 * workers did.
 */
export class EndedCounts {
  readonly #last = new Map<number, MetricList>();
  readonly #ended = new Map<string, Counted>();

  /** The values that a worker gave last. */
  note(slot: number, list: MetricList): void {
    this.#last.set(slot, list);
  }

  /** What a worker said last, for one that is silent now. */
  last(slot: number): MetricList | undefined {
    return this.#last.get(slot);
  }

  /** A worker is gone: its counters and histograms stay, its gauges do not. */
  end(slot: number): void {
    const list = this.#last.get(slot) ?? [];
    this.#last.delete(slot);
    for (const { name, help, type, aggregator, values } of list) {
      if (String(type) !== 'counter' && String(type) !== 'histogram') continue;
      const kept = this.#ended.get(name) ?? { name, help, type, aggregator, values: new Map<string, Value>() };
      this.#ended.set(name, kept);
      for (const one of values as readonly Value[]) {
        const key = `${one.metricName ?? ''} ${JSON.stringify(one.labels)}`;
        kept.values.set(key, { ...one, value: one.value + (kept.values.get(key)?.value ?? 0) });
      }
    }
  }

  /** To be added up with those of the workers that are there. */
  list(): MetricList {
    return [...this.#ended.values()].map((one) => ({ ...one, values: [...one.values.values()] })) as never;
  }
}
