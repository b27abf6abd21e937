import * as v from 'valibot';
import { maxCharacters } from '../../text-length.ts';
import { aiName, type ConfigAliases, countFrom, integerBetween, numberBetween, withAliases } from './config-fields.ts';

/** What a cache compares: the whole request, the meaning of its last text, or the one after the other. */
export const aiCacheModes = ['exact', 'semantic', 'hybrid'] as const;

/** Where vectors are. Source: spec, AI gateway records. */
export const aiVectorBackends = [
  'memory',
  'scan',
  'mongo_scan',
  'auto',
  'atlas',
  'document_db_atlas',
  'mongodb_vector',
  'native',
] as const;

/** Seconds that an answer may live. A year is the longest. */
const ttlSeconds = { min: 1, max: 31_536_000, default: 300 } as const;
const timeoutMs = { min: 10, max: 600_000, default: 10_000 } as const;
const urlLengthMax = 2048;

/** An address that anybody may know: https, without account, query and fragment. */
function isPublicAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.protocol === 'https:' && !url.username && !url.password && !/[?#\s\\]/.test(text);
  return isPlain && text.length <= urlLengthMax;
}

/**
 * An embedding source of its own. Its credential is a reference: a vault's secret or a variable that the operator allows. What is
 * sent as `timeout`, in seconds like timeouts elsewhere, is kept as `timeout_ms`.
 */
const embedding = v.pipe(
  v.strictObject({
    provider: v.optional(aiName),
    base_url: v.optional(
      v.pipe(
        v.string(),
        v.check(isPublicAddress, 'must be an https address without user, password, query or fragment'),
      ),
    ),
    model: v.optional(aiName),
    path: v.optional(
      v.pipe(v.string(), maxCharacters(urlLengthMax), v.regex(/^\/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*$/, 'must be a path')),
    ),
    api_key_ref: v.optional(
      v.pipe(
        v.string(),
        maxCharacters(512),
        v.regex(/^vault:\/\/[a-z][a-z0-9-]*\/[\x21-\x7E]+$/, 'must read vault://prefix/secret[/key]'),
      ),
    ),
    api_key_env: v.optional(
      v.pipe(v.string(), v.regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'must be the name of a variable')),
    ),
    timeout_ms: v.optional(integerBetween(timeoutMs.min, timeoutMs.max)),
    timeout: v.optional(numberBetween(timeoutMs.min / 1000, timeoutMs.max / 1000)),
  }),
  v.check(
    ({ provider, base_url: url }) => (provider === undefined) !== (url === undefined),
    'needs exactly one of provider and base_url',
  ),
  v.check(({ base_url: url, model }) => url === undefined || model !== undefined, 'needs a model beside base_url'),
  v.check(
    ({ api_key_ref: reference, api_key_env: variable }) => reference === undefined || variable === undefined,
    'may have one of api_key_ref and api_key_env',
  ),
  v.check(
    ({ timeout_ms: inMs, timeout }) => inMs === undefined || timeout === undefined || inMs === inMilliseconds(timeout),
    'may have one of timeout_ms and timeout',
  ),
  v.transform(({ timeout, ...source }) => ({
    ...source,
    timeout_ms: timeout === undefined ? (source.timeout_ms ?? timeoutMs.default) : inMilliseconds(timeout),
  })),
);

function inMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** Names of a document's fields with dots between them; the first is none that documents of the cache have. */
const VECTOR_PATH =
  /^(?!(?:_id|space|key|partition|prompt|provider|model|body|stored_at|expires_at|bytes|__proto__)(?:\.|$))[A-Za-z_]\w{0,63}(?:\.(?!__proto__(?:\.|$))[A-Za-z_]\w{0,63}){0,7}$/;

/** Other names of a cache's fields. */
export const aiCacheAliases: ConfigAliases = { embedding: 'embedding_provider' };

/**
 * The config of a cache. Bounds to which runtimes clamp (`vector_dimensions` 8..512, `search_limit` 1..100) are not checked.
 * Whether `vary_by_tenant` may be false is the operator's to say, and asked where records are written. Source: spec, AI gateway records; decisions, 22.
 */
export const cacheConfig: v.GenericSchema = v.strictObject(
  withAliases(
    {
      enabled: v.optional(v.boolean(), true),
      mode: v.optional(v.picklist(aiCacheModes)),
      ttl_seconds: v.optional(integerBetween(ttlSeconds.min, ttlSeconds.max), ttlSeconds.default),
      similarity_threshold: v.optional(numberBetween(0, 1)),
      vary_by_tenant: v.optional(v.boolean(), true),
      vary_by_consumer: v.optional(v.boolean(), true),
      vector_backend: v.optional(v.picklist(aiVectorBackends), 'memory'),
      vector_index_name: v.optional(aiName),
      vector_path: v.optional(
        v.pipe(aiName, v.regex(VECTOR_PATH, 'must be names with dots between them, and no field that documents have')),
      ),
      vector_dimensions: v.optional(countFrom(1)),
      vector_num_candidates: v.optional(countFrom(1)),
      search_limit: v.optional(countFrom(0)),
      embedding_provider: v.optional(v.union([aiName, embedding])),
      embedding_model: v.optional(aiName),
      embedding_fail_open: v.optional(v.boolean(), true),
      allow_scan_fallback: v.optional(v.boolean(), true),
    },
    aiCacheAliases,
  ),
);

/** A cache's config with the defaults that hang on what else was said: who says how texts are compared wants them compared. */
export function withCacheMode(config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const saysMeaning = config['similarity_threshold'] !== undefined || config['embedding_provider'] !== undefined;
  return { mode: saysMeaning ? 'hybrid' : 'exact', similarity_threshold: 0.92, ...config };
}
