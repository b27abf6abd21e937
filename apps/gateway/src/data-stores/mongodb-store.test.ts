import type { DocumentStore } from '@portcullis/plugin-runtime';
import { eventually, freePort } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { type Answering, startFakeMongoServer } from './fake-mongo-server.test-support.ts';
import { openDataStores, type OpenDataStores } from './open-data-stores.ts';

interface Opened extends AsyncDisposable {
  readonly documents: DocumentStore;
  readonly opened: OpenDataStores;
  readonly lines: unknown[];
}

async function openAt(port: number): Promise<Opened> {
  const lines: unknown[] = [];
  const note = (details: object, message: string): void => void lines.push([message, details]);
  const url = `mongodb://127.0.0.1:${port}/cache?directConnection=true`;
  const address = {
    kind: 'mongodb',
    url,
    hosts: [{ host: '127.0.0.1', port }],
    database: 'cache',
    isTls: false,
  } as const;
  const opened = await openDataStores(address, { info: note, warn: note });
  const { documents } = opened.stores;
  if (documents === undefined) throw new Error('no MongoDB');
  return { documents, opened, lines, [Symbol.asyncDispose]: () => opened.close() };
}

const call = { timeoutMs: 60_000 };
const found =
  (...documents: object[]): Answering =>
  () => ({ cursor: { id: 0n, ns: 'cache.kept', firstBatch: documents }, ok: 1 });
const done: Answering = () => ({ n: 1, nModified: 1, ok: 1 });

describe('MongoDB by its driver (the wire protocol is real, the server is not)', () => {
  it('aggregates, and the server knows how long it may take', async () => {
    await using server = await startFakeMongoServer(found({ _id: 'a', at: new Date(5) }));
    await using database = await openAt(server.port);
    const pipeline = [{ $vectorSearch: { queryVector: [0.5], limit: 1 } }, { $match: { at: { $gt: new Date(1) } } }];
    const documents = await database.documents.collection('kept').aggregate(pipeline, call);
    expect(documents).toEqual([{ _id: 'a', at: new Date(5) }]);
    expect(server.commands[0]).toMatchObject({ aggregate: 'kept', pipeline, maxTimeMS: 60_000, $db: 'cache' });
    expect(database.opened).toMatchObject({ isWell: true, failedCalls: 0 });
  });

  it('puts a document in the place of another, removes and makes indexes', async () => {
    await using server = await startFakeMongoServer(done);
    await using database = await openAt(server.port);
    const kept = database.documents.collection('kept');
    const document = { _id: 'acme:1', vector: [1, 0], expires_at: new Date(9) };
    await kept.replace(document, call);
    await kept.remove({ space: 'acme', stored_at: { $lte: 7 } }, call);
    await kept.ensureIndex({ expires_at: 1 }, { ...call, expireAfterSeconds: 0 });
    await kept.ensureIndex({ space: 1, stored_at: -1 }, call);
    const { _id, ...fields } = document;
    expect(server.commands).toMatchObject([
      { update: 'kept', updates: [{ q: { _id }, u: fields, upsert: true }] },
      { delete: 'kept', deletes: [{ q: { space: 'acme', stored_at: { $lte: 7 } }, limit: 0 }] },
      { createIndexes: 'kept', indexes: [{ key: { expires_at: 1 }, expireAfterSeconds: 0 }] },
      { createIndexes: 'kept', indexes: [{ key: { space: 1, stored_at: -1 } }] },
    ]);
  });

  it('gives on what the server refuses, with its number; that is no outage', async () => {
    const refusal = { ok: 0, code: 40_324, errmsg: "Unrecognized pipeline stage name: '$vectorSearch'" };
    await using server = await startFakeMongoServer(() => refusal);
    await using database = await openAt(server.port);
    const asked = database.documents.collection('kept').aggregate([{ $vectorSearch: {} }], call);
    await expect(asked).rejects.toMatchObject({ name: 'MongoServerError', code: 40_324 });
    expect(database.opened).toMatchObject({ isWell: true, failedCalls: 0 });
  });

  it('a server that does not answer in time is given up', async () => {
    await using server = await startFakeMongoServer(() => undefined);
    await using database = await openAt(server.port);
    const asked = database.documents.collection('kept').aggregate([], { timeoutMs: 300 });
    await expect(asked).rejects.toMatchObject({ name: 'DataCallError' });
    expect(database.opened).toMatchObject({ isWell: false, failedCalls: 1 });
  });

  it('a connection that breaks fails its call, and the next one is another', async () => {
    let isBroken = true;
    await using server = await startFakeMongoServer((command) => {
      if (!isBroken) return found({ _id: 'a' })(command);
      server.cut();
      return undefined;
    });
    await using database = await openAt(server.port);
    const kept = database.documents.collection('kept');
    await expect(kept.replace({ _id: 'a' }, call)).rejects.toMatchObject({
      name: expect.stringMatching(/^Mongo.*Error$/),
    });
    isBroken = false;
    const documents = await eventually(() => kept.aggregate([], call));
    expect(documents).toEqual([{ _id: 'a' }]);
    expect(database.opened.isWell).toBe(true);
  });

  it('a server that is not there: a line once, and nothing of the address in it', async () => {
    const port = await freePort();
    await using database = await openAt(port);
    const kept = database.documents.collection('kept');
    for (let tries = 0; tries < 2; tries += 1)
      await expect(kept.aggregate([], { timeoutMs: 100 })).rejects.toThrow('in time');
    expect(database.lines).toHaveLength(1);
    expect(JSON.stringify(database.lines)).not.toContain(String(port));
    expect(database.opened.failedCalls).toBeGreaterThanOrEqual(2);
  });
});
