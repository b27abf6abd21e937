import {
  cacheSchema,
  modelRouteSchema,
  policySchema,
  readCache,
  readModelRoute,
  readPolicy,
} from '@portcullis/ai-router';
import { aiConfigSchema, normaliseAiConfig } from '@portcullis/resources';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';

/*
 * The control plane checks AI records with the schemas of resources, and gateways and `ai_proxy` read the same fields with those of the AI router. What
 * one takes the other takes, and it means the same before and after the control plane has given everything its first name.
 */

/** What is stored of a config; `undefined` for one that is refused. */
function stored(kind: string, config: unknown): unknown {
  const schema = aiConfigSchema(kind);
  if (!schema) throw new Error(`no kind ${kind}`);
  const result = v.safeParse(schema, config);
  if (!result.success) return undefined;
  const normalised = normaliseAiConfig(kind, result.output as Record<string, unknown>);
  return normalised.problems.length > 0 ? undefined : normalised.config;
}

const odd: fc.Arbitrary<unknown> = fc.constantFrom(
  null,
  -1,
  0,
  0.5,
  1,
  2,
  '',
  'text',
  '*',
  'a*',
  'a*b',
  [],
  {},
  true,
  1e9,
  'x\n',
  'x'.repeat(257),
  '𝒳'.repeat(256),
  '𝒳'.repeat(257),
  ['*'],
  ['a', 7],
  '__proto__',
  'constructor',
);
const mostly = (usual: fc.Arbitrary<unknown>, seldom: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 20, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...seldom) });
const hints = mostly(fc.constantFrom<unknown>('code', ['code']), [['a', 'b'], ['a', ''], 'y'.repeat(1001)]);
const latency = mostly(fc.constant(80), [0, 80.5, 3_600_000, 3_600_001]);
const usually = (usual: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: odd });
const some = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>, required: string[] = []) => {
  const entries = Object.entries(fields).map(([name, usual]) => [name, usually(usual)] as const);
  const known = fc.record(Object.fromEntries(entries), { requiredKeys: required });
  return fc.tuple(known, fc.nat(60)).map(([config, chance]) => (chance === 0 ? { ...config, bogus: 1 } : config));
};

const target = some(
  {
    provider: fc.constantFrom('openai', 'anthropic'),
    model: fc.constantFrom('gpt', 'claude'),
    priority: fc.integer({ min: -3, max: 3 }),
    weight: fc.double({ min: 0, max: 5, noNaN: true }),
    latency_ms: latency,
    configured_latency_ms: latency,
    latency,
    keywords: hints,
    routing_keywords: hints,
    hints,
    routing_hints: hints,
    enabled: fc.boolean(),
    timeout_ms: mostly(fc.constantFrom(10, 600_000), [9, 600_001]),
    params: fc.constantFrom({}, { temperature: 0 }),
  },
  ['provider', 'model'],
);
const route = some(
  {
    model: fc.constantFrom('chat', 'gpt-*', '*'),
    aliases: fc.constantFrom([], ['best', 'fast-*']),
    strategy: fc.constantFrom(
      'ordered',
      'priority',
      'weighted_rr',
      'weighted_round_robin',
      'latency',
      'least_latent',
      'semantic_routing',
      'semantic_router',
      'random',
      'toString',
    ),
    targets: fc.array(target, { minLength: 1, maxLength: 2 }),
    latency_ewma_alpha: fc.constantFrom(0.3, 1, 0.001),
    latency_cold_start: fc.constantFrom('configured', 'last'),
    min_score: fc.double({ min: 0, max: 1, noNaN: true }),
    vector_dimensions: fc.integer({ min: 1, max: 2000 }),
  },
  ['targets'],
);
const policy = some({
  allowed_models: fc.constantFrom([], ['gpt-*', 'x']),
  denied_models: fc.constantFrom([], ['*']),
  token_budget: fc.nat(),
  token_budget_window_seconds: fc.integer({ min: 0, max: 31_536_000 }),
  rate_limit: fc.nat(),
  rate_window_seconds: fc.integer({ min: 0, max: 31_536_000 }),
  consumer_group: fc.constantFrom('vip', 'staff'),
  group: fc.constantFrom('vip', 'staff'),
  consumer_id: fc.constantFrom('c1', 'a b', '..'),
});

const source = some({
  provider: fc.constantFrom('openai', 'own'),
  model: fc.constant('small'),
  path: mostly(fc.constant('/embeddings'), ['embeddings', '/a b']),
  api_key_ref: mostly(fc.constant('vault://main/key'), ['vault://', 'sk-1']),
  timeout: mostly(fc.constantFrom(2.5, 600), [0, 601]),
});
const ownSource = some({
  model: fc.constant('small'),
  api_key_env: fc.constant('KEY'),
  timeout_ms: fc.constantFrom(10, 600_000),
}).map((fields) => ({ base_url: 'https://embeddings.test/v1', ...fields }));
const sources = fc.oneof(fc.constant('openai'), source, ownSource);
const cache = some({
  enabled: fc.boolean(),
  mode: fc.constantFrom('exact', 'semantic', 'hybrid'),
  ttl_seconds: mostly(fc.constantFrom(1, 60), [0, 1e9]),
  similarity_threshold: mostly(fc.double({ min: 0, max: 1, noNaN: true }), [1.5]),
  vary_by_tenant: fc.boolean(),
  vary_by_consumer: fc.boolean(),
  vector_backend: fc.constantFrom(
    'memory',
    'scan',
    'mongo_scan',
    'auto',
    'atlas',
    'document_db_atlas',
    'mongodb_vector',
    'native',
  ),
  vector_index_name: fc.constant('index'),
  vector_path: fc.constant('a.b'),
  vector_dimensions: mostly(fc.constantFrom(1, 100_000), [0]),
  vector_num_candidates: mostly(fc.constantFrom(1, 100_000), [0]),
  search_limit: mostly(fc.constantFrom(0, 100_000), [-1]),
  embedding_provider: sources,
  embedding: sources,
  embedding_model: fc.constant('large'),
  embedding_fail_open: fc.boolean(),
  allow_scan_fallback: fc.boolean(),
});

it.each([
  ['cache', cache, cacheSchema, (name: string, config: unknown) => readCache(config, name)],
  ['model_route', route, modelRouteSchema, readModelRoute],
  ['policy', policy, policySchema, readPolicy],
] as const)('%s: both schemas take the same, and what is stored means what was sent', (kind, configs, schema, read) => {
  const seen = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(configs, (config) => {
      const kept = stored(kind, config);
      expect(v.is(schema, config)).toBe(kept !== undefined);
      seen[kept === undefined ? 'refused' : 'taken'] += 1;
      if (kept !== undefined) expect(read('name', kept)).toEqual(read('name', config));
    }),
    { numRuns: 3000 },
  );
  // A test of refusals alone, or of none, would say little.
  expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(100);
});
