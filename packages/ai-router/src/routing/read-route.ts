import { readConfig } from '../config/problems.ts';
import type { ModelRoute, Strategy, Target } from './route.ts';
import { looseModelRouteSchema, strategyAliases, type ModelRouteConfig, type TargetConfig } from './route-schema.ts';

/** Bounds of `latency_ewma_alpha`, to which it is moved, and its default. Source: ai, Least latency. */
const ALPHA_MIN = 0.01;
const ALPHA_MAX = 1;
const ALPHA_DEFAULT = 0.3;

/** The same of `vector_dimensions`. Source: ai, Semantic routing by feature hashing. */
const DIMENSIONS_MIN = 8;
const DIMENSIONS_MAX = 512;
const DIMENSIONS_DEFAULT = 256;

/**
 * The route that a config or an AI record means. Takes all other names of fields and strategies.
 * @param name what clients ask for where the config has no `model`: the record's name
 * @param config unknown fields are left out
 * @param id what tells it from other routes of the tenant: the record's ID
 * @throws InvalidConfigError
 */
export function readModelRoute(name: string, config: unknown, id: string = name): ModelRoute {
  return modelRouteOf(readConfig(looseModelRouteSchema, config, `model route ${name}`), name, id);
}

/** As {@link readModelRoute}, of a config that the schema made. */
export function modelRouteOf(config: ModelRouteConfig, name: string, id: string): ModelRoute {
  const { min_score: minScore, latency_ewma_alpha: alpha = ALPHA_DEFAULT } = config;
  const { vector_dimensions: dimensions = DIMENSIONS_DEFAULT } = config;
  return {
    id,
    model: config.model ?? name,
    aliases: config.aliases ?? [],
    strategy: strategyOf(config.strategy),
    targets: config.targets.map(targetOf),
    latencyEwmaAlpha: Math.min(ALPHA_MAX, Math.max(ALPHA_MIN, alpha)),
    latencyColdStart: config.latency_cold_start ?? 'configured',
    ...(minScore !== undefined && { minScore }),
    vectorDimensions: Math.min(DIMENSIONS_MAX, Math.max(DIMENSIONS_MIN, dimensions)),
  };
}

function strategyOf(given: ModelRouteConfig['strategy'] = 'ordered'): Strategy {
  return Object.hasOwn(strategyAliases, given)
    ? strategyAliases[given as keyof typeof strategyAliases]
    : (given as Strategy);
}

function targetOf(config: TargetConfig): Target {
  const latencyMs = config.latency_ms ?? config.configured_latency_ms ?? config.latency;
  const { timeout_ms: timeoutMs } = config;
  return {
    provider: config.provider,
    model: config.model,
    priority: config.priority ?? 0,
    weight: config.weight ?? 1,
    ...(latencyMs !== undefined && { latencyMs }),
    keywords: listOf(config.keywords ?? config.routing_keywords),
    hints: listOf(config.hints ?? config.routing_hints),
    enabled: config.enabled ?? true,
    ...(timeoutMs !== undefined && { timeoutMs }),
    params: config.params ?? {},
  };
}

function listOf(given: string | string[] | undefined): readonly string[] {
  if (given === undefined) return [];
  return typeof given === 'string' ? [given] : given;
}
