import { readConfig } from '../config/problems.ts';
import { type CacheConfig, looseCacheSchema } from './cache-schema.ts';
import { cacheBounds, type CacheSettings, type EmbeddingSource } from './cache-settings.ts';
import { embeddingTimeoutMs } from './embedding-schema.ts';

/**
 * The cache that a config or an AI record means; `undefined` for one that is off.
 * @param config unknown fields are left out
 * @param id what tells it from other caches of the tenant
 * @throws InvalidConfigError
 */
export function readCache(config: unknown, id: string): CacheSettings | undefined {
  return cacheOf(readConfig(looseCacheSchema, config, 'cache'), id);
}

/** As {@link readCache}, of a config that the schema made. */
export function cacheOf(config: CacheConfig, id: string): CacheSettings | undefined {
  if (config.enabled === false) return undefined;
  const { dimensions, searchLimit: limits, candidates, ttlSeconds, similarity } = cacheBounds;
  const searchLimit = clamped(config.search_limit, limits);
  const { vector_index_name: vectorIndexName, vector_path: vectorPath } = config;
  return {
    id,
    mode: config.mode ?? (saysMeaning(config) ? 'hybrid' : 'exact'),
    ttlMs: 1000 * (config.ttl_seconds ?? ttlSeconds.default),
    similarityMin: config.similarity_threshold ?? similarity.default,
    variesByTenant: config.vary_by_tenant ?? true,
    variesByConsumer: config.vary_by_consumer ?? true,
    vectorBackend: config.vector_backend ?? 'memory',
    ...(vectorIndexName !== undefined && { vectorIndexName }),
    ...(vectorPath !== undefined && { vectorPath }),
    vectorDimensions: clamped(config.vector_dimensions, dimensions),
    vectorCandidatesMax: clamped(config.vector_num_candidates, {
      min: searchLimit,
      max: candidates.max,
      default: searchLimit * candidates.perResult,
    }),
    searchLimit,
    embedding: sourceOf(config),
    embeddingFailsOpen: config.embedding_fail_open ?? true,
    allowsScanFallback: config.allow_scan_fallback ?? true,
  };
}

/** Who says how texts are compared wants them compared. */
function saysMeaning(config: CacheConfig): boolean {
  const { embedding, embedding_provider: provider, similarity_threshold: least } = config;
  return [embedding, provider, least].some((given) => given !== undefined);
}

function sourceOf({ embedding, embedding_provider: given = embedding, embedding_model: named }: CacheConfig) {
  if (given === undefined) return undefined;
  const config = typeof given === 'string' ? { provider: given } : given;
  const { provider, base_url: baseUrl, path, api_key_ref: ref, api_key_env: env } = config;
  const keyReference = env === undefined ? ref : `env://${env}`;
  const source: EmbeddingSource = {
    ...(provider !== undefined && { provider }),
    ...(baseUrl !== undefined && { baseUrl }),
    model: config.model ?? named ?? '',
    ...(path !== undefined && { path }),
    ...(keyReference !== undefined && { keyReference }),
    timeoutMs: embeddingTimeoutMs(config),
  };
  return source;
}

function clamped(given: number | undefined, bounds: { min: number; max: number; default: number }): number {
  return Math.min(bounds.max, Math.max(bounds.min, given ?? bounds.default));
}
