import * as v from 'valibot';
import {
  aiListItemsMax,
  aiName,
  type ConfigAliases,
  countFrom,
  hintTexts,
  integerBetween,
  modelPattern,
  numberBetween,
  withAliases,
} from './config-fields.ts';

/** How a route orders its targets. Source: spec, AI gateway records. */
export const aiStrategies = ['ordered', 'priority', 'weighted', 'least_latency', 'semantic'] as const;

/** Other names of strategies. They are stored under the first name. Source: spec, Accepted strategy aliases. */
export const aiStrategyAliases = {
  weighted_round_robin: 'weighted',
  weighted_rr: 'weighted',
  latency: 'least_latency',
  least_latent: 'least_latency',
  semantic_routing: 'semantic',
  semantic_router: 'semantic',
} as const satisfies Record<string, (typeof aiStrategies)[number]>;

type StrategyAlias = keyof typeof aiStrategyAliases;

const strategy = v.pipe(
  v.picklist([...aiStrategies, ...(Object.keys(aiStrategyAliases) as StrategyAlias[])]),
  v.transform((given) => (given in aiStrategyAliases ? aiStrategyAliases[given as StrategyAlias] : given)),
);

const latencyMsMax = 3_600_000;
const priorityMax = 1_000_000;
const weightMax = 1_000_000;
const timeoutMs = { min: 10, max: 600_000 } as const;

/** Other names of a target's fields. */
export const aiTargetAliases: ConfigAliases = {
  configured_latency_ms: 'latency_ms',
  latency: 'latency_ms',
  routing_keywords: 'keywords',
  routing_hints: 'hints',
};

const target = v.strictObject(
  withAliases(
    {
      provider: aiName,
      model: aiName,
      priority: v.optional(integerBetween(-priorityMax, priorityMax)),
      weight: v.optional(numberBetween(0, weightMax)),
      latency_ms: v.optional(numberBetween(0, latencyMsMax)),
      keywords: v.optional(hintTexts),
      hints: v.optional(hintTexts),
      enabled: v.optional(v.boolean()),
      timeout_ms: v.optional(integerBetween(timeoutMs.min, timeoutMs.max)),
      params: v.optional(v.record(v.string(), v.unknown())),
    },
    aiTargetAliases,
  ),
);

/**
 * The config of a model route: `model` (the record's name when absent) and `aliases` say what requests ask for, `targets`
 * what they get, in an order that `strategy` decides. Bounds on which runtimes clamp (`vector_dimensions`) are not checked.
 */
export const modelRouteConfig: v.GenericSchema = v.strictObject({
  model: v.optional(modelPattern),
  aliases: v.optional(
    v.pipe(v.array(modelPattern), v.maxLength(aiListItemsMax, `must have at most ${aiListItemsMax} items`)),
  ),
  strategy: v.optional(strategy, 'ordered'),
  targets: v.pipe(
    v.array(target),
    v.minLength(1, 'needs at least one target'),
    v.maxLength(aiListItemsMax, `must have at most ${aiListItemsMax} items`),
  ),
  latency_ewma_alpha: v.optional(
    v.pipe(v.number(), v.gtValue(0, 'must be above 0'), v.maxValue(1, 'must be at most 1')),
    0.3,
  ),
  latency_cold_start: v.optional(v.picklist(['configured', 'last'])),
  min_score: v.optional(numberBetween(0, 1)),
  vector_dimensions: v.optional(countFrom(1)),
});
