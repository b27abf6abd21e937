import * as v from 'valibot';
import {
  hintsField,
  LIST_ITEMS_MAX,
  looseObject,
  modelPatternField,
  modelPatternsField,
  nameField,
  numberField,
  strictObject,
  type ObjectMaker,
  wholeNumberField,
} from '../config/fields.ts';
import { aliasProblems, fieldRule } from '../config/problems.ts';
import { strategies, type Strategy } from './route.ts';

/** Other names of strategies. Source: spec, Accepted strategy aliases. */
export const strategyAliases = {
  weighted_round_robin: 'weighted',
  weighted_rr: 'weighted',
  latency: 'least_latency',
  least_latent: 'least_latency',
  semantic_routing: 'semantic',
  semantic_router: 'semantic',
} as const;

/** Other names of a target's fields. */
export const targetAliases = {
  configured_latency_ms: 'latency_ms',
  latency: 'latency_ms',
  routing_keywords: 'keywords',
  routing_hints: 'hints',
} as const;

const LATENCY_MS_MAX = 3_600_000;
const PRIORITY_MAX = 1_000_000;
const WEIGHT_MAX = 1_000_000;
const TIMEOUT_MS_MIN = 10;
const PARAMS_MAX = 100;
const TIMEOUT_MS_MAX = 600_000;

const strategyNames = [...strategies, ...(Object.keys(strategyAliases) as (keyof typeof strategyAliases)[])] as const;

/** A target as configs and records hold it. */
export interface TargetConfig {
  provider: string;
  model: string;
  priority?: number | undefined;
  weight?: number | undefined;
  latency_ms?: number | undefined;
  configured_latency_ms?: number | undefined;
  latency?: number | undefined;
  keywords?: string | string[] | undefined;
  routing_keywords?: string | string[] | undefined;
  hints?: string | string[] | undefined;
  routing_hints?: string | string[] | undefined;
  enabled?: boolean | undefined;
  timeout_ms?: number | undefined;
  params?: Record<string, unknown> | undefined;
}

/** A model route as configs and records hold it. */
export interface ModelRouteConfig {
  model?: string | undefined;
  aliases?: string[] | undefined;
  strategy?: Strategy | keyof typeof strategyAliases | undefined;
  targets: TargetConfig[];
  latency_ewma_alpha?: number | undefined;
  latency_cold_start?: 'configured' | 'last' | undefined;
  min_score?: number | undefined;
  vector_dimensions?: number | undefined;
}

/** The config of a model route, without defaults. Unknown fields are refused. Source: spec, AI gateway records; ai, model_route config. */
export const modelRouteSchema: v.GenericSchema<ModelRouteConfig> = routeSchema(strictObject);

/** The same, and unknown fields are left out: what a newer control plane sends must not switch a route off. */
export const looseModelRouteSchema: v.GenericSchema<unknown, ModelRouteConfig> = routeSchema(looseObject);

function routeSchema(objectOf: ObjectMaker): v.GenericSchema<ModelRouteConfig> {
  return objectOf({
    model: v.optional(modelPatternField('What clients ask for: exact, *, or a beginning with * after it')),
    aliases: v.optional(modelPatternsField('More names that clients ask for')),
    strategy: v.optional(
      v.pipe(
        v.picklist(strategyNames, `must be one of ${strategyNames.join(', ')}`),
        v.description('How targets are ordered; ordered by default'),
      ),
    ),
    targets: v.pipe(
      v.array(targetSchema(objectOf), 'must be a list of targets'),
      v.minLength(1, 'needs at least one target'),
      v.maxLength(LIST_ITEMS_MAX, `must have at most ${LIST_ITEMS_MAX} items`),
    ),
    latency_ewma_alpha: v.optional(
      v.pipe(
        v.number('must be a number'),
        v.gtValue(0, 'must be above 0'),
        v.maxValue(1, 'must be at most 1'),
        v.description('Weight of a new latency in the moving average'),
      ),
    ),
    latency_cold_start: v.optional(
      v.pipe(
        v.picklist(['configured', 'last'], 'must be configured or last'),
        v.description('Where a target without a measured latency stands'),
      ),
    ),
    min_score: v.optional(numberField('Similarity from which on a hint counts that shares no word', 0, 1)),
    vector_dimensions: v.optional(wholeNumberField('Length of hash vectors', 1)),
  });
}

function targetSchema(objectOf: ObjectMaker): v.GenericSchema<TargetConfig> {
  const latencyMs = v.optional(numberField('Configured latency, in milliseconds', 0, LATENCY_MS_MAX));
  const keywords = v.optional(hintsField('Words of prompts that are for this target'));
  const hints = v.optional(hintsField('Examples or descriptions of prompts that are for this target'));
  const fields: v.GenericSchema<TargetConfig> = objectOf({
    provider: nameField('Name of a provider'),
    model: nameField('What the provider calls the model'),
    priority: v.optional(wholeNumberField('The higher, the earlier', -PRIORITY_MAX, PRIORITY_MAX)),
    weight: v.optional(numberField('Share among the targets; with 0 never first', 0, WEIGHT_MAX)),
    latency_ms: latencyMs,
    configured_latency_ms: latencyMs,
    latency: latencyMs,
    keywords,
    routing_keywords: keywords,
    hints,
    routing_hints: hints,
    enabled: v.optional(v.boolean('must be true or false')),
    timeout_ms: v.optional(wholeNumberField('Of one attempt, in milliseconds', TIMEOUT_MS_MIN, TIMEOUT_MS_MAX)),
    params: v.optional(
      v.pipe(
        v.record(nameField('Field of the body'), v.unknown(), 'must be an object'),
        v.maxEntries(PARAMS_MAX, `must have at most ${PARAMS_MAX} entries`),
        v.description('Fields of the body that are set'),
      ),
    ),
  });
  return fieldRule(fields, (given) => aliasProblems(given, targetAliases));
}
