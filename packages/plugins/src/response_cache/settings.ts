import { respectsCacheControl, type Config } from './config.ts';
import type { StoringRules } from './storing.ts';
import type { AskingRules } from './asked-request.ts';

/** A config as the cache uses it. */
export interface CacheSettings extends StoringRules, AskingRules {
  readonly methods: ReadonlySet<string>;
  /** As it is written to answers. */
  readonly cacheHeaderName: string;
  /** Cache-Control that clients get; `undefined`: the service's. */
  readonly cacheControl: string | undefined;
}

/** Reads a config. */
export function cacheSettings(config: Config): CacheSettings {
  const ttlSeconds = config.ttl_seconds ?? config.ttl;
  return {
    ttlMs: ttlSeconds === undefined ? undefined : ttlSeconds * 1000,
    respectsCacheControl: respectsCacheControl(config),
    cacheControl: typeof config.cache_control === 'string' ? config.cache_control : undefined,
    methods: new Set(config.methods),
    statuses: new Set(config.statuses),
    includeQuery: config.include_query,
    varyHeaders: config.vary_headers.map((name) => name.toLowerCase()),
    bodyBytesMax: config.max_body_bytes,
    cacheHeaderName: config.cache_header_name,
    cacheHeader: config.cache_header_name.toLowerCase(),
  };
}
