import type * as v from 'valibot';
import type { RuleViolation } from '../../family.ts';
import { aiCacheAliases, cacheConfig, withCacheMode } from './cache.ts';
import type { ConfigAliases } from './config-fields.ts';
import { aiTargetAliases, modelRouteConfig } from './model-route.ts';
import { aiPolicyAliases, policyConfig } from './policy.ts';

/** Kinds of AI records. Source: spec, AI gateway records. */
export const aiRecordKinds = ['model_route', 'policy', 'cache'] as const;

/** See {@link aiRecordKinds}. */
export type AiRecordKind = (typeof aiRecordKinds)[number];

type Config = Readonly<Record<string, unknown>>;

/** A config under the first names of its fields, and what contradicts itself in it. */
export interface NormalisedConfig {
  readonly config: Config;
  /** Pointers are into the config. */
  readonly problems: readonly RuleViolation[];
}

const schemas: Readonly<Record<AiRecordKind, v.GenericSchema>> = {
  model_route: modelRouteConfig,
  policy: policyConfig,
  cache: cacheConfig,
};

/** The schema of a kind's `config`; unknown fields are refused. `undefined` for a kind that is none. */
export function aiConfigSchema(kind: unknown): v.GenericSchema | undefined {
  const known = aiRecordKinds.find((candidate) => candidate === kind);
  return known && schemas[known];
}

/**
 * Gives fields that came under another name their own, and finds what cannot be meant together.
 * @param config what the kind's schema made of the sent one
 */
export function normaliseAiConfig(kind: unknown, config: Config): NormalisedConfig {
  if (kind === 'model_route') return normaliseTargets(config);
  if (kind === 'cache') {
    const cache = withEmbeddingModel(withoutAliases(config, aiCacheAliases, ''));
    return { ...cache, config: withCacheMode(cache.config) };
  }
  const policy = withoutAliases(config, aiPolicyAliases, '');
  const isBoth = policy.config['consumer_group'] !== undefined && policy.config['consumer_id'] !== undefined;
  if (!isBoth) return policy;
  const message = 'cannot be given together with a group';
  return { ...policy, problems: [...policy.problems, { pointer: '/consumer_id', code: 'not_allowed', message }] };
}

/** A provider has many models of embeddings: one has to be named. A model without a provider is nobody's. */
function withEmbeddingModel(cache: NormalisedConfig): NormalisedConfig {
  const { embedding_provider: source, embedding_model: model } = cache.config;
  const isNamed = model !== undefined || (typeof source === 'object' && source !== null && 'model' in source);
  if ((source !== undefined) === isNamed || cache.problems.length > 0) return cache;
  const problem =
    source === undefined
      ? { code: 'not_allowed', message: 'needs embedding_provider: the built-in vectors have no model' }
      : { code: 'required', message: 'is required with a provider of embeddings' };
  return { ...cache, problems: [...cache.problems, { pointer: '/embedding_model', ...problem }] };
}

function normaliseTargets(config: Config): NormalisedConfig {
  const targets = (Array.isArray(config['targets']) ? (config['targets'] as readonly Config[]) : []).map(
    (target, index) => withoutAliases(target, aiTargetAliases, `/targets/${index}`),
  );
  return {
    config: { ...config, targets: targets.map((target) => target.config) },
    problems: targets.flatMap((target) => target.problems),
  };
}

function withoutAliases(config: Config, aliases: ConfigAliases, place: string): NormalisedConfig {
  const result: Record<string, unknown> = { ...config };
  const problems: RuleViolation[] = [];
  for (const [alias, name] of Object.entries(aliases)) {
    const value = result[alias];
    delete result[alias];
    if (value === undefined) continue;
    const contradicts = result[name] !== undefined && JSON.stringify(result[name]) !== JSON.stringify(value);
    if (contradicts)
      problems.push({ pointer: `${place}/${alias}`, code: 'contradiction', message: `contradicts ${name}` });
    else result[name] = value;
  }
  return { config: result, problems };
}
