import { describe, expect, it } from 'vitest';
import { describeAnswerStore } from '../answer-store.contract.test-support.ts';
import { contractClock, entryOf, vectorOfSeed } from '../contract-entries.test-support.ts';
import { FakeMongo, fakeIndex, FakeServerError, type FakeMongoOptions } from './fake-mongo.test-support.ts';
import { MongoAnswerStore, type MongoAnswerStoreOptions } from './mongo-answer-store.ts';
import { ASK_AGAIN_MS } from './vector-index.ts';

const storeOf = (documents: FakeMongo, options: Partial<MongoAnswerStoreOptions> = {}) =>
  new MongoAnswerStore({
    ...{ documents, space: 'acme', clock: contractClock(), form: undefined, putsPerSweep: 1 },
    ...{
      indexName: 'portcullis_ai_cache',
      vectorPath: 'vector',
      dimensions: 16,
      candidatesMax: 100,
      allowsScan: false,
    },
    ...options,
  });

const servers: readonly (readonly [string, MongoAnswerStoreOptions['form'], FakeMongoOptions])[] = [
  ['one by one', undefined, { server: 'plain' }],
  ['$vectorSearch', 'atlas', { server: 'atlas', indexes: [fakeIndex()] }],
  ['$search.vectorSearch', 'document_db', { server: 'document_db', documentDbDimensions: 16 }],
];

for (const [name, form, server] of servers) {
  describeAnswerStore(`MongoDB, ${name}`, { isShared: true, hasSpaces: true, isBounded: true }, async () => {
    const documents = new FakeMongo(server);
    return {
      open: ({ clock, space = 'acme', bounds }) =>
        storeOf(documents, { clock, space, form, ...(bounds && { bounds }) }),
      [Symbol.asyncDispose]: async () => undefined,
    };
  });
}

const clock = contractClock();
const entry = entryOf({ seed: 1, clock });
const query = { partition: entry.partition, vector: vectorOfSeed(1), similarityMin: 0.9, limit: 5 };

describe('vector searches', () => {
  it('are what Atlas takes', async () => {
    const documents = new FakeMongo({ server: 'atlas', indexes: [fakeIndex({ name: 'mine', path: 'deep.er' })] });
    const store = storeOf(documents, {
      clock,
      form: 'atlas',
      indexName: 'mine',
      vectorPath: 'deep.er',
      candidatesMax: 42,
    });
    await store.put(entry);
    expect((await store.findLike(query)).map(({ key }) => key)).toEqual([entry.key]);
    const stage = documents.pipelines.flat().find((one) => '$vectorSearch' in one);
    expect(stage).toEqual({
      $vectorSearch: {
        index: 'mine',
        path: 'deep.er',
        queryVector: [...query.vector],
        numCandidates: 42,
        limit: 5,
        filter: { space: 'acme', partition: entry.partition, expires_at: { $gt: new Date(clock.ms) } },
      },
    });
  });

  it('are what DocumentDB takes', async () => {
    const documents = new FakeMongo({ server: 'document_db', documentDbDimensions: 16 });
    const store = storeOf(documents, { clock, form: 'document_db', candidatesMax: 42 });
    await store.put(entry);
    expect(await store.findLike(query)).toHaveLength(1);
    const pipeline = documents.pipelines.find((stages) => stages.some((stage) => '$search' in stage));
    expect(pipeline?.slice(0, 3)).toEqual([
      { $search: { vectorSearch: { vector: [...query.vector], path: 'vector', similarity: 'cosine', k: 42 } } },
      { $match: { space: 'acme', partition: entry.partition, expires_at: { $gt: new Date(clock.ms) } } },
      { $limit: 5 },
    ]);
  });

  const missing: readonly (readonly [string, FakeMongoOptions, MongoAnswerStoreOptions['form']])[] = [
    ['no index', { server: 'atlas' }, 'atlas'],
    ['another name', { server: 'atlas', indexes: [fakeIndex({ name: 'other' })] }, 'atlas'],
    ['another path', { server: 'atlas', indexes: [fakeIndex({ path: 'embedding' })] }, 'atlas'],
    ['other dimensions', { server: 'atlas', indexes: [fakeIndex({ dimensions: 1536 })] }, 'atlas'],
    ['a filter is missing', { server: 'atlas', indexes: [fakeIndex({ filters: ['space', 'partition'] })] }, 'atlas'],
    ['not built yet', { server: 'atlas', indexes: [fakeIndex({ queryable: false })] }, 'atlas'],
    ['a server without vectors', { server: 'plain' }, 'atlas'],
    ['DocumentDB in place of Atlas', { server: 'document_db', documentDbDimensions: 16 }, 'atlas'],
    ['DocumentDB without an index', { server: 'document_db' }, 'document_db'],
    ['Atlas in place of DocumentDB', { server: 'atlas', indexes: [fakeIndex()] }, 'document_db'],
  ];

  it.each(missing)('%s: fails, or compares one by one where that is allowed', async (_, server, form) => {
    const documents = new FakeMongo(server);
    const strict = storeOf(documents, { clock, form });
    await strict.put(entry);
    await expect(strict.findLike(query)).rejects.toMatchObject({ name: 'AnswerStoreError', code: 'no_index' });
    expect(await strict.get(entry.key)).toEqual(entry.answer);
    const lenient = storeOf(documents, { clock, form, allowsScan: true });
    expect((await lenient.findLike(query)).map(({ key }) => key)).toEqual([entry.key]);
  });

  it.each(['atlas', 'document_db'] as const)('%s: an index that is made later is found after a while', async (form) => {
    const indexes: ReturnType<typeof fakeIndex>[] = [];
    const options = { server: form, indexes, documentDbDimensions: 0 };
    const documents = new FakeMongo(options);
    const own = contractClock();
    const store = storeOf(documents, { clock: own, form });
    await store.put(entryOf({ seed: 1, clock: own }));
    await expect(store.findLike(query)).rejects.toMatchObject({ code: 'no_index' });
    indexes.push(fakeIndex());
    options.documentDbDimensions = 16;
    await expect(store.findLike(query)).rejects.toMatchObject({ code: 'no_index' });
    own.ms += ASK_AGAIN_MS;
    expect(await store.findLike(query)).toHaveLength(1);
  });
});

describe('a path of vectors', () => {
  it.each(['_id', 'space', 'space.x', 'expires_at', 'body', 'partition'])(
    'takes the place of no field of a document: %s',
    async (vectorPath) => {
      const documents = new FakeMongo({ server: 'plain' });
      const store = storeOf(documents, { clock, vectorPath });
      await store.put(entry);
      expect(await store.get(entry.key)).toEqual(entry.answer);
      expect(await store.findLike(query)).toEqual([]);
      expect([...documents.documents.keys()]).toEqual([`acme:${entry.key}`]);
      expect([...documents.documents.values()][0]).toMatchObject({
        ...{ space: 'acme', partition: entry.partition, expires_at: new Date(entry.answer.expiresAtMs) },
      });
    },
  );
});

describe('a server', () => {
  it('gets the indexes of plain fields once, and the one that ends documents', async () => {
    const documents = new FakeMongo({ server: 'plain' });
    const store = storeOf(documents, { clock });
    await Promise.all([1, 2, 3].map((seed) => store.put(entryOf({ seed, clock }))));
    expect(documents.indexed).toEqual([
      { keys: { expires_at: 1 }, expireAfterSeconds: 0 },
      { keys: { space: 1, partition: 1, stored_at: 1 }, expireAfterSeconds: undefined },
      { keys: { space: 1, stored_at: 1 }, expireAfterSeconds: undefined },
    ]);
  });

  it('that is gone is unavailable, says nothing of where it is, and is tried again', async () => {
    const documents = new FakeMongo({ server: 'atlas', indexes: [fakeIndex()] });
    documents.isDown = true;
    const store = storeOf(documents, { clock, form: 'atlas', allowsScan: true });
    for (const call of [() => store.get('k'), () => store.put(entry), () => store.findLike(query)]) {
      const failure: unknown = await call().catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: 'AnswerStoreError', code: 'unavailable' });
      expect(String(failure)).not.toContain('10.0.0.1');
    }
    documents.isDown = false;
    await store.put(entry);
    expect(await store.findLike(query)).toHaveLength(1);
  });

  it.each([50, 11_600, 13])('that says %s is not well: that is no missing index', async (code) => {
    const documents = new FakeMongo({ server: 'document_db', documentDbDimensions: 16 });
    const failing = {
      collection: () => ({
        ...documents.collection(),
        aggregate: () => Promise.reject(new FakeServerError(code, 'not now')),
      }),
    };
    const store = storeOf(documents, { documents: failing, clock, form: 'document_db', allowsScan: false });
    await expect(store.findLike(query)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
