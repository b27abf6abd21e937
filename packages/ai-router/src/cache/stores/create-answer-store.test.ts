import { describe, expect, it } from 'vitest';
import type { AnswerStore } from '../answer-store.ts';
import { vectorBackends, type VectorBackend } from '../cache-settings.ts';
import { contractClock, entryOf, vectorOfSeed } from './contract-entries.test-support.ts';
import { createAnswerStore } from './create-answer-store.ts';
import { FakeMongo, fakeIndex } from './mongodb/fake-mongo.test-support.ts';
import { type AnswerStorePorts, SHARED_SPACE } from './store-options.ts';

/** What a search was sent to. */
type Seen = string[];

const answering = { storedAtMs: 0, expiresAtMs: 0, body: '{}', provider: 'p', model: 'm' };

/** Ports that note what they are asked. */
function portsOf(
  has: { redis?: boolean; sql?: boolean; mongo?: FakeMongo },
  space = 'acme',
): { readonly ports: AnswerStorePorts; readonly seen: Seen } {
  const seen: Seen = [];
  const memory: AnswerStore = {
    get: () => (seen.push('memory'), answering),
    findLike: () => (seen.push('memory'), []),
    put: () => void seen.push('memory'),
  };
  const ports: AnswerStorePorts = {
    ...{ space, memory, clock: contractClock() },
    ...(has.redis && { sharedStore: { run: async () => (seen.push('redis'), ['']) } }),
    ...(has.sql && {
      sql: {
        query: async (text) => {
          if (/FROM portcullis/.test(text)) seen.push(text.includes('<=>') ? 'pgvector' : 'sql scan');
          return {
            rows: /pg_extension/.test(text) ? [{}] : [{ there: true, expires_at: 0, embedding: '{}', prompt: '""' }],
          };
        },
      },
    }),
    ...(has.mongo && { documents: has.mongo }),
  };
  return { ports, seen };
}

const settingsOf = (vectorBackend: VectorBackend, allowsScanFallback = true) => ({
  ...{ vectorBackend, allowsScanFallback, vectorDimensions: 16, vectorCandidatesMax: 100 },
});

const query = { partition: 'p', vector: vectorOfSeed(1), similarityMin: 0.9, limit: 5 };

/** Where a search goes. */
async function searchedIn(
  backend: VectorBackend,
  has: Parameters<typeof portsOf>[0],
  more: { allows?: boolean; space?: string } = {},
): Promise<string> {
  const { ports, seen } = portsOf(has, more.space);
  const store = createAnswerStore(settingsOf(backend, more.allows), ports);
  try {
    await store.findLike(query);
  } catch (error) {
    return (error as { code: string }).code;
  }
  const stages = has.mongo?.pipelines.flat().map((stage) => Object.keys(stage)[0]) ?? [];
  if (stages.includes('$vectorSearch')) return '$vectorSearch';
  if (stages.includes('$search')) return '$search';
  return seen[0] ?? (stages.length > 0 ? 'mongo scan' : 'nowhere');
}

const atlas = (): FakeMongo => new FakeMongo({ server: 'atlas', indexes: [fakeIndex()] });

describe('backends', () => {
  const table: readonly (readonly [VectorBackend, string, string, string, string])[] = [
    // backend, nothing, Redis, PostgreSQL, MongoDB
    ['memory', 'memory', 'memory', 'memory', 'memory'],
    ['scan', 'memory', 'redis', 'sql scan', 'mongo scan'],
    ['mongo_scan', 'memory', 'redis', 'sql scan', 'mongo scan'],
    ['atlas', 'memory', 'redis', 'sql scan', '$vectorSearch'],
    ['mongodb_vector', 'memory', 'redis', 'sql scan', '$vectorSearch'],
    ['document_db_atlas', 'memory', 'redis', 'sql scan', '$search'],
    ['native', 'memory', 'redis', 'pgvector', '$vectorSearch'],
    ['auto', 'memory', 'redis', 'pgvector', '$vectorSearch'],
  ];

  it('are all in the table', () => {
    expect(new Set(table.map(([backend]) => backend))).toEqual(new Set(vectorBackends));
  });

  it.each(table)('%s searches in %s, %s, %s, %s', async (backend, nothing, redis, sql, mongo) => {
    const server =
      backend === 'document_db_atlas' ? new FakeMongo({ server: 'document_db', documentDbDimensions: 16 }) : atlas();
    const found = [
      await searchedIn(backend, {}),
      await searchedIn(backend, { redis: true }),
      await searchedIn(backend, { redis: true, sql: true }),
      await searchedIn(backend, { redis: true, mongo: server }),
    ];
    expect(found).toEqual([nothing, redis, sql, mongo]);
  });

  it.each([
    ['memory', 'memory', 'memory'],
    ['scan', 'memory', 'sql scan'],
    ['mongo_scan', 'memory', 'sql scan'],
    ['atlas', 'no_index', 'no_index'],
    ['mongodb_vector', 'no_index', 'no_index'],
    ['document_db_atlas', 'no_index', 'no_index'],
    ['native', 'no_index', 'pgvector'],
    ['auto', 'no_index', 'pgvector'],
  ] as const)('%s without allow_scan_fallback: %s, with PostgreSQL %s', async (backend, nothing, sql) => {
    expect(await searchedIn(backend, {}, { allows: false })).toBe(nothing);
    expect(await searchedIn(backend, { sql: true }, { allows: false })).toBe(sql);
  });

  it('a search that must not compare one by one leaves looking up alone', async () => {
    const { ports, seen } = portsOf({});
    const store = createAnswerStore(settingsOf('atlas', false), ports);
    await store.put(entryOf({ seed: 1 }));
    expect(await store.get('k')).toBe(answering);
    expect(seen).toEqual(['memory', 'memory']);
  });

  it('what tenants share is not kept among the keys of one of them', async () => {
    expect(await searchedIn('scan', { redis: true }, { space: SHARED_SPACE })).toBe('memory');
    expect(await searchedIn('auto', { redis: true, sql: true }, { space: SHARED_SPACE })).toBe('pgvector');
  });
});
