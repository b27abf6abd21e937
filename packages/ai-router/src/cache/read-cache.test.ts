import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { readAiRecords } from '../config/tenant-records.ts';
import { cacheSchema } from './cache-schema.ts';
import { readCache } from './read-cache.ts';

describe('the settings of a cache', () => {
  it('have defaults', () => {
    expect(readCache({}, 'c')).toEqual({
      id: 'c',
      mode: 'exact',
      ttlMs: 300_000,
      similarityMin: 0.92,
      variesByTenant: true,
      variesByConsumer: true,
      vectorBackend: 'memory',
      vectorDimensions: 256,
      vectorCandidatesMax: 100,
      searchLimit: 5,
      embedding: undefined,
      embeddingFailsOpen: true,
      allowsScanFallback: true,
    });
    expect(readCache({ enabled: false, mode: 'hybrid' }, 'c')).toBeUndefined();
  });

  it.each([
    [{ similarity_threshold: 0.8 }, { mode: 'hybrid', similarityMin: 0.8 }],
    [{ mode: 'exact', similarity_threshold: 0.8 }, { mode: 'exact' }],
    [{ vector_dimensions: 1 }, { mode: 'exact', vectorDimensions: 8 }],
    [{ vector_dimensions: 1536 }, { vectorDimensions: 512 }],
    [{ search_limit: 0 }, { searchLimit: 1, vectorCandidatesMax: 20 }],
    [{ search_limit: 1000 }, { searchLimit: 100, vectorCandidatesMax: 2000 }],
    [{ search_limit: 50, vector_num_candidates: 7 }, { vectorCandidatesMax: 50 }],
    [{ vector_num_candidates: 1e9 }, { vectorCandidatesMax: 10_000 }],
    [
      { embedding_provider: 'openai', embedding_model: 'small' },
      { mode: 'hybrid', embedding: { provider: 'openai', model: 'small', timeoutMs: 10_000 } },
    ],
    [
      { embedding: { provider: 'openai', model: 'own', timeout: 2.5 }, embedding_model: 'small' },
      { embedding: { provider: 'openai', model: 'own', timeoutMs: 2500 } },
    ],
    [
      { embedding: { base_url: 'https://v.test', model: 'm', path: '/e', api_key_env: 'KEY', timeout_ms: 10 } },
      { embedding: { baseUrl: 'https://v.test', model: 'm', path: '/e', keyReference: 'env://KEY', timeoutMs: 10 } },
    ],
    [
      { embedding: { base_url: 'https://v.test', model: 'm', api_key_ref: 'vault://a/b' } },
      { embedding: { keyReference: 'vault://a/b' } },
    ],
    [
      { of_tomorrow: 1, vector_index_name: 'i', vector_path: 'v' },
      { vectorIndexName: 'i', vectorPath: 'v' },
    ],
  ])('%j means %j', (config, settings) => {
    expect(readCache(config, 'c')).toMatchObject(settings);
  });

  it.each([
    [{ embedding_provider: 'openai' }, 'embedding_model'],
    [{ mode: 'hybrid', embedding_model: 'm' }, 'embedding_model'],
    [{ embedding: { provider: 'p', base_url: 'https://v.test', model: 'm' } }, 'embedding.provider'],
    [{ embedding: { base_url: 'https://v.test' }, embedding_model: 'm' }, 'embedding.model'],
    [{ embedding: { base_url: 'http://v.test', model: 'm' } }, 'embedding.base_url'],
    [{ embedding: { base_url: 'https://u:p@v.test', model: 'm' } }, 'embedding.base_url'],
    [{ embedding: { provider: 'p', model: 'm', timeout: 5, timeout_ms: 6 } }, 'embedding.timeout'],
    [
      { embedding: { provider: 'p', model: 'm', api_key_ref: 'vault://a/b', api_key_env: 'K' } },
      'embedding.api_key_env',
    ],
    [{ embedding: 'a', embedding_provider: 'b', embedding_model: 'm' }, 'embedding'],
    [{ of_tomorrow: 1 }, 'of_tomorrow'],
  ])('%j is refused at %s', (config, place) => {
    const { issues = [] } = v.safeParse(cacheSchema, config);
    expect(issues.map((issue) => v.getDotPath(issue))).toContain(place);
  });
});

it('of a tenant’s records the one called default counts, else the first that is on; what cannot be read is told of', () => {
  const record = (id: string, name: string, config: object) => ({ id, kind: 'cache', name, config: { ...config } });
  const off = record('1', 'off', { enabled: false });
  const [two, three] = [record('2', 'two', {}), record('3', 'default', { mode: 'hybrid' })];
  const chosen = (...records: readonly (typeof off)[]) => {
    const { cache, idleCaches, problems } = readAiRecords(records);
    return [cache?.id, idleCaches, problems.map(({ record: id }) => id)];
  };
  expect(chosen(off)).toEqual([undefined, [], []]);
  expect(chosen(off, two)).toEqual(['2', [], []]);
  expect(chosen(off, two, three)).toEqual(['3', ['2'], []]);
  expect(chosen(record('9', 'default', { mode: 'fuzzy' }), two)).toEqual(['2', [], ['9']]);
});
