import type { JsonObject } from '../json.ts';

/** How a route orders its targets. Source: spec, AI gateway records. */
export const strategies = ['ordered', 'priority', 'weighted', 'least_latency', 'semantic'] as const;

/** See {@link strategies}. */
export type Strategy = (typeof strategies)[number];

/** A provider's model that a route may send a request to, with its defaults. */
export interface Target {
  /** Name of a provider. */
  readonly provider: string;
  /** As the provider's `model_map` or the provider itself calls it. */
  readonly model: string;
  /** The higher, the earlier. Default 0. */
  readonly priority: number;
  /** Share among the route's targets. Zero: never first. Default 1. */
  readonly weight: number;
  /** Configured latency, in milliseconds: what counts until there is a measured one. */
  readonly latencyMs?: number;
  readonly keywords: readonly string[];
  readonly hints: readonly string[];
  readonly enabled: boolean;
  /** For one attempt, in place of the provider's, in milliseconds. */
  readonly timeoutMs?: number;
  /** Fields of the request's body that are set for this target. */
  readonly params: JsonObject;
}

/** A model that clients may ask for, and what they get. Made by `readModelRoute`. Source: spec, AI gateway records; ai, model_route config. */
export interface ModelRoute {
  /** Tells it from others of the tenant: the record's ID, or a name that the reader of a config gave it. */
  readonly id: string;
  /** An exact name, `*`, or the beginning of names with `*` after it. */
  readonly model: string;
  /** More of the same. */
  readonly aliases: readonly string[];
  readonly strategy: Strategy;
  readonly targets: readonly Target[];
  /** Weight of a new sample in the moving average of latencies, 0.01..1. */
  readonly latencyEwmaAlpha: number;
  /** Where a target without a sample stands: where its configured latency puts it, or behind all that were measured. */
  readonly latencyColdStart: 'configured' | 'last';
  /** Similarity from which on a hint counts that shares no word with the prompt, 0..1. */
  readonly minScore?: number;
  /** Length of hash vectors, 8..512. */
  readonly vectorDimensions: number;
}
