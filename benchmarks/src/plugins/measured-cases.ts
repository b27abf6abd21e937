import { median } from '../figures/quantile.ts';

/** What one plugin costs on one request. */
export interface PluginCost {
  /** Processor time. */
  readonly nanoseconds: number;
  /** Memory that has to be collected afterwards. */
  readonly bytes: number;
  /** Whether the response stage and the end of the exchange are in it. */
  readonly isWhole: boolean;
  /** Processor time of a request with a credential that was not seen before, in microseconds. */
  readonly firstUs?: number;
}

/** How often, and how long, cases are measured. */
export interface Effort {
  readonly repetitions: number;
  /** After that no repetition but the first begins. */
  readonly budgetMs: number;
}

/** What came of the cases. */
export interface MeasuredCases {
  /** Medians, by case. One of which no repetition succeeded is missing. */
  readonly costs: ReadonlyMap<string, PluginCost>;
  /** Why a repetition failed, by case: the first reason. */
  readonly failures: ReadonlyMap<string, string>;
}

/**
 * Measures each case in turns, the order of every second repetition reversed. A case that fails costs its own figure of that repetition: a
 * server that did not start in time is no reason to lose all others.
 */
export async function measureCases(
  names: readonly string[],
  { repetitions, budgetMs }: Effort,
  costOf: (name: string) => Promise<PluginCost>,
  monotonicMs: () => number,
): Promise<MeasuredCases> {
  const all = new Map<string, PluginCost[]>();
  const failures = new Map<string, string>();
  const endMs = monotonicMs() + budgetMs;
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    for (const name of repetition % 2 === 0 ? names : names.toReversed()) {
      if (repetition > 0 && monotonicMs() >= endMs) break;
      try {
        // oxlint-disable-next-line no-await-in-loop -- one after the other: they would disturb each other
        const cost = await costOf(name);
        all.set(name, [...(all.get(name) ?? []), cost]);
      } catch (error) {
        if (!failures.has(name)) failures.set(name, error instanceof Error ? error.message : String(error));
      }
    }
  }
  return { costs: new Map([...all].map(([name, costs]) => [name, medianCost(costs)])), failures };
}

function medianCost(costs: readonly PluginCost[]): PluginCost {
  const first = costs.flatMap(({ firstUs }) => (firstUs === undefined ? [] : [firstUs]));
  return {
    nanoseconds: median(costs.map((cost) => cost.nanoseconds)),
    bytes: median(costs.map((cost) => cost.bytes)),
    isWhole: costs.some((cost) => cost.isWhole),
    ...(first.length > 0 && { firstUs: median(first) }),
  };
}
