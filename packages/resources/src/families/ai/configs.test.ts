import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { aiConfigSchema, normaliseAiConfig } from './configs.ts';

/** A config as it is stored, or the places of what is wrong with it. */
function read(kind: string, config: object): unknown {
  const schema = aiConfigSchema(kind);
  if (!schema) throw new Error(`no kind ${kind}`);
  const result = v.safeParse(schema, config);
  if (!result.success) return result.issues.map((issue) => v.getDotPath(issue));
  const normalised = normaliseAiConfig(kind, result.output as Record<string, unknown>);
  return normalised.problems.length > 0 ? normalised.problems.map(({ pointer }) => pointer) : normalised.config;
}

const target = { provider: 'openai', model: 'gpt' };
const route = (fields: object) => read('model_route', { targets: [target], ...fields });
const withTarget = (fields: object) => read('model_route', { targets: [{ ...target, ...fields }] });

describe('model routes', () => {
  it.each([
    ['ordered', 'ordered'],
    ['priority', 'priority'],
    ['weighted', 'weighted'],
    ['least_latency', 'least_latency'],
    ['semantic', 'semantic'],
    ['weighted_round_robin', 'weighted'],
    ['weighted_rr', 'weighted'],
    ['latency', 'least_latency'],
    ['least_latent', 'least_latency'],
    ['semantic_routing', 'semantic'],
    ['semantic_router', 'semantic'],
  ])('strategy %s is kept as %s', (given, kept) => {
    expect(route({ strategy: given })).toMatchObject({ strategy: kept });
  });

  it('has the defaults of the requirement, and what is stored reads the same again', () => {
    const stored = route({});
    expect(stored).toEqual({ strategy: 'ordered', latency_ewma_alpha: 0.3, targets: [target] });
    expect(read('model_route', stored as object)).toEqual(stored);
  });

  it('gives the fields of targets their first names, and lists to single hints', () => {
    expect(
      withTarget({ configured_latency_ms: 80, routing_keywords: 'code', routing_hints: ['a', 'b'] }),
    ).toMatchObject({
      targets: [{ ...target, latency_ms: 80, keywords: ['code'], hints: ['a', 'b'] }],
    });
    expect(withTarget({ latency: 5 })).toMatchObject({ targets: [{ ...target, latency_ms: 5 }] });
    expect(withTarget({ latency: 5, latency_ms: 5 })).toMatchObject({ targets: [{ latency_ms: 5 }] });
    expect(withTarget({ latency: 5, latency_ms: 6 })).toEqual(['/targets/0/latency']);
    expect(withTarget({ hints: 'a', routing_hints: 'b' })).toEqual(['/targets/0/routing_hints']);
  });

  it.each([
    [{ strategy: 'random' }, 'strategy'],
    [{ targets: [] }, 'targets'],
    [{ latency_ewma_alpha: 0 }, 'latency_ewma_alpha'],
    [{ latency_ewma_alpha: 1.000_001 }, 'latency_ewma_alpha'],
    [{ model: 'a*b' }, 'model'],
    [{ model: '' }, 'model'],
    [{ aliases: ['**'] }, 'aliases.0'],
    [{ min_score: 1.1 }, 'min_score'],
    [{ targets: [{ provider: 'p' }] }, 'targets.0.model'],
    [{ targets: [target, { ...target, weight: -1 }] }, 'targets.1.weight'],
    [{ targets: [{ ...target, priority: 0.5 }] }, 'targets.0.priority'],
    [{ targets: [{ ...target, api_key: 'k' }] }, 'targets.0.api_key'],
    [{ bogus: 1 }, 'bogus'],
  ])('%j is refused at %s', (fields, place) => {
    expect(route(fields)).toEqual([place]);
  });

  it.each([
    { latency_ewma_alpha: 1 },
    { latency_ewma_alpha: 0.000_001 },
    { model: '*' },
    { model: 'gpt-*' },
    { aliases: [] },
  ])('%j is taken', (fields) => {
    expect(route(fields)).toMatchObject(fields);
  });
});

describe('policies', () => {
  it.each([
    {},
    { allowed_models: ['*', 'gpt-4', 'claude-*'], denied_models: [] },
    { token_budget: 0, rate_limit: 0, rate_window_seconds: 0 },
    { token_budget: 1_000_000_000, rate_limit: 60, rate_window_seconds: 31_536_000 },
    { token_budget: 5, token_budget_window_seconds: 31_536_000 },
    { token_budget_window_seconds: 0 },
    { consumer_group: 'vip' },
    { consumer_id: 'c1' },
  ])('%j is taken as it is', (config) => {
    expect(read('policy', config)).toEqual(config);
  });

  it('group is another name of consumer_group', () => {
    expect(read('policy', { group: 'vip' })).toEqual({ consumer_group: 'vip' });
    expect(read('policy', { group: 'vip', consumer_group: 'other' })).toEqual(['/group']);
  });

  it.each([
    [{ allowed_models: ['*gpt'] }, ['allowed_models.0']],
    [{ denied_models: 'gpt' }, ['denied_models']],
    [{ token_budget: -1 }, ['token_budget']],
    [{ rate_limit: 0.5 }, ['rate_limit']],
    [{ token_budget_window_seconds: -1 }, ['token_budget_window_seconds']],
    [{ rate_window_seconds: 31_536_001 }, ['rate_window_seconds']],
    [{ consumer_id: 'a b' }, ['consumer_id']],
    [{ consumer_id: 'c1', group: 'vip' }, ['/consumer_id']],
    [{ budget: 1 }, ['budget']],
  ])('%j is refused at %j', (config, places) => {
    expect(read('policy', config)).toEqual(places);
  });
});

describe('caches', () => {
  const defaults = {
    enabled: true,
    mode: 'exact',
    ttl_seconds: 300,
    similarity_threshold: 0.92,
    vary_by_tenant: true,
    vary_by_consumer: true,
    vector_backend: 'memory',
    embedding_fail_open: true,
    allow_scan_fallback: true,
  };

  it('has defaults for what decides', () => {
    expect(read('cache', {})).toEqual(defaults);
    expect(read('cache', defaults)).toEqual(defaults);
    expect(read('cache', { similarity_threshold: 0.8 })).toMatchObject({ mode: 'hybrid' });
    expect(read('cache', { embedding: 'p', embedding_model: 'm' })).toMatchObject({ mode: 'hybrid' });
    expect(read('cache', { mode: 'exact', similarity_threshold: 0.8 })).toMatchObject({ mode: 'exact' });
    expect(read('cache', { embedding_model: 'm' })).toEqual(['/embedding_model']);
  });

  it.each(['memory', 'scan', 'mongo_scan', 'auto', 'atlas', 'document_db_atlas', 'mongodb_vector', 'native'])(
    'takes the vector backend %s',
    (vector_backend) => {
      expect(read('cache', { vector_backend })).toMatchObject({ vector_backend });
    },
  );

  it.each([
    { mode: 'hybrid' },
    { mode: 'semantic', similarity_threshold: 0 },
    { mode: 'exact', similarity_threshold: 1, vary_by_consumer: false },
    { vector_dimensions: 1 },
    { vector_dimensions: 100_000, vector_num_candidates: 100_000, search_limit: 100_000 },
    { search_limit: 0 },
    { vary_by_tenant: false },
    { vector_index_name: 'i', vector_path: 'a.b' },
    { vector_path: '_vectors.bodyVector' },
    { mode: 'semantic', embedding_provider: 'openai', embedding_model: 'small', embedding_fail_open: false },
  ])('%j is taken', (config) => {
    expect(read('cache', config)).toEqual({ ...defaults, ...config });
  });

  const url = 'https://embeddings.test/v1';
  it.each([
    [{ provider: 'openai', model: 'small' }],
    [{ base_url: url, model: 'small', path: '/embeddings', api_key_ref: 'vault://env/KEY', timeout_ms: 500 }],
    [{ base_url: url, model: 'small', api_key_env: 'EMBEDDING_KEY', timeout_ms: 600_000 }],
  ])('an embedding source of its own: %j, under either name', (source) => {
    const stored = { ...defaults, mode: 'hybrid', embedding_provider: { timeout_ms: 10_000, ...source } };
    expect(read('cache', { embedding_provider: source })).toEqual(stored);
    expect(read('cache', { embedding: source })).toEqual(stored);
    expect(read('cache', { embedding: source, embedding_provider: 'openai' })).toEqual(['/embedding']);
  });

  it('the timeout of an embedding source may be in seconds, and is kept in milliseconds', () => {
    for (const source of [{ timeout: 2.5 }, { timeout_ms: 2500 }, { timeout: 2.5, timeout_ms: 2500 }]) {
      const stored = {
        ...defaults,
        mode: 'hybrid',
        embedding_provider: { provider: 'p', model: 'm', timeout_ms: 2500 },
      };
      expect(read('cache', { embedding_provider: { provider: 'p', model: 'm', ...source } })).toEqual(stored);
    }
  });

  it.each([
    { base_url: url },
    { provider: 'p', base_url: url, model: 'm' },
    { model: 'm' },
    { base_url: 'http://embeddings.test', model: 'm' },
    { base_url: 'https://user:word@embeddings.test', model: 'm' },
    { base_url: `${url}?key=1`, model: 'm' },
    { base_url: url, model: 'm', api_key: 'a-key' },
    { base_url: url, model: 'm', api_key_ref: 'a-key' },
    { base_url: url, model: 'm', api_key_env: 'A KEY' },
    { base_url: url, model: 'm', api_key_env: 'A', api_key_ref: 'vault://a/b' },
    { base_url: url, model: 'm', path: 'embeddings' },
    { base_url: url, model: 'm', timeout_ms: 9 },
    { provider: 'p', timeout_ms: 600_001 },
    { provider: 'p', timeout: 0.009 },
    { provider: 'p', timeout: 5, timeout_ms: 500 },
  ])('no embedding source: %j', (source) => {
    expect(read('cache', { embedding_provider: source })).toBeInstanceOf(Array);
  });

  it.each([
    [{ mode: 'fuzzy' }, 'mode'],
    [{ ttl_seconds: 0 }, 'ttl_seconds'],
    [{ similarity_threshold: -0.1 }, 'similarity_threshold'],
    [{ similarity_threshold: 1.01 }, 'similarity_threshold'],
    [{ vary_by_tenant: 'no' }, 'vary_by_tenant'],
    [{ vector_backend: 'pinecone' }, 'vector_backend'],
    [{ vector_dimensions: 0 }, 'vector_dimensions'],
    [{ vector_num_candidates: 0 }, 'vector_num_candidates'],
    [{ search_limit: -1 }, 'search_limit'],
    [{ enabled: 'yes' }, 'enabled'],
    [{ api_key: 'a-key' }, 'api_key'],
    [{ embedding_provider: 'openai' }, '/embedding_model'],
    [{ embedding: { provider: 'openai' } }, '/embedding_model'],
  ])('%j is refused at %s', (config, place) => {
    expect(read('cache', config)).toEqual([place]);
  });

  it.each(['space', '_id.x', 'body', 'a..b', '$a', 'a.', 'a b', '__proto__', 'a.__proto__.b'])(
    'vectors are not kept at %s',
    (path) => {
      expect(read('cache', { vector_path: path })).toEqual(['vector_path']);
    },
  );
});

describe('kinds', () => {
  it('one that is none has no config', () => {
    for (const kind of ['constructor', 'provider', undefined]) expect(aiConfigSchema(kind)).toBeUndefined();
  });
});
