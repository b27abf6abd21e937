import { describe, expect, it } from 'vitest';
import { mistakesOf } from '../testing/bad-configs.ts';
import { secretPathsOf } from '../index.ts';
import { aiProxy } from './index.ts';

const providers = [{ name: 'one', type: 'openai', api_key: 'sk-1' }];
const targets = [{ provider: 'one', model: 'm' }];

describe('the config of ai_proxy', () => {
  it.each([
    [{}, ['/providers: is required']],
    [{ providers: [] }, ['/providers: must not be empty']],
    [{ providers: [...providers, ...providers] }, ['/providers/1: has the name of a provider before it']],
    [{ providers, default_provider: 'two' }, ['/default_provider: names no provider of this config']],
    [
      { providers, model_routes: [{ model: 'a', targets: [...targets, { provider: 'two', model: 'm' }] }] },
      ['/model_routes/0: target 2 names no provider of this config'],
    ],
    [
      { providers, model_routes: { a: { targets: [{ provider: 'two', model: 'm' }] } } },
      ['/model_routes: target 1 names no provider of this config'],
    ],
    [
      { providers, semantic_cache: { mode: 'fuzzy' } },
      ['/semantic_cache/mode: must be one of exact, semantic, hybrid'],
    ],
    [
      { providers, semantic_cache: { embedding_provider: 'one' } },
      ['/semantic_cache/embedding_model: is required with a provider of embeddings'],
    ],
    [
      { providers, semantic_cache: { embedding_provider: 'two', embedding_model: 'm' } },
      ['/semantic_cache: embedding_provider names no provider of this config'],
    ],
    [
      { providers, semantic_cache: { embedding: { provider: 'two', model: 'm' } } },
      ['/semantic_cache: embedding_provider names no provider of this config'],
    ],
    [{ providers, semantic_cache: { api_key: 'k' } }, ['/semantic_cache/api_key: is no field here']],
    [
      { providers, guardrails: { blocked_patterns: ['a', '(?=b)'] } },
      [
        '/guardrails: blocked_patterns[1]: must be a regular expression in RE2 syntax, without look-around and back references',
      ],
    ],
  ])('%j is refused', (config, mistakes) => {
    expect(mistakesOf(aiProxy, config)).toEqual(mistakes);
  });

  it('takes routes and policies as lists and maps, and strategies by all their names', () => {
    for (const strategy of ['ordered', 'weighted_rr', 'latency', 'semantic_router']) {
      const maps = { model_routes: { a: { targets } }, consumer_policies: { '*': { token_budget: 1 } } };
      expect(mistakesOf(aiProxy, { providers, target_selection: strategy, ...maps })).toEqual([]);
      const lists = { model_routes: [{ model: 'a', strategy, targets }], consumer_policies: [{ consumer_id: 'c' }] };
      expect(mistakesOf(aiProxy, { providers, ...lists })).toEqual([]);
    }
  });

  it.each([
    { enabled: false },
    { enabled: true },
    { mode: 'hybrid', embedding_provider: 'one', embedding_model: 'small', vary_by_tenant: null, ttl_seconds: null },
    {
      mode: 'semantic',
      embedding: { base_url: 'https://vectors.test', model: 'small', api_key_env: 'KEY', timeout: 2 },
    },
  ])('takes the cache %j', (semantic_cache) => {
    expect(mistakesOf(aiProxy, { providers, semantic_cache })).toEqual([]);
  });

  it('marks keys of providers as secrets', () => {
    const auth = { header_name: 'x-key', header_value: 'top-secret' };
    const given = { providers: [{ ...providers[0], auth }], consumer_policies: { default: {} } };
    expect(secretPathsOf('ai_proxy', given)).toEqual(
      expect.arrayContaining(['/providers/0/api_key', '/providers/0/auth/header_value']),
    );
  });
});
