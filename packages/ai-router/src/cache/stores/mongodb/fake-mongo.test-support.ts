import type { CacheCollection, CacheDocuments } from '../data-ports.ts';
import { cosine } from '../scan/likest.ts';
import { vectorAt, type Document } from './documents.ts';
import { matches, withoutFields } from './fake-query.test-support.ts';

/** What a server says no with, as the driver gives it. */
export class FakeServerError extends Error {
  override readonly name = 'MongoServerError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** A vector index as Atlas lists it. */
export interface FakeIndex {
  readonly name: string;
  readonly queryable: boolean;
  readonly latestDefinition: { readonly fields: readonly Readonly<Record<string, unknown>>[] };
}

/** Which server it poses as. */
export interface FakeMongoOptions {
  /** `plain`: MongoDB without vector search. */
  readonly server: 'atlas' | 'document_db' | 'plain';
  readonly indexes?: FakeIndex[];
  /** Dimensions of DocumentDB's index; none without. */
  readonly documentDbDimensions?: number;
}

/**
 * MongoDB at the level of the driver, as far as caches use it. It knows the stages that the store sends, and refuses what the servers refuse: unknown
 * stages, searches that do not come first, candidates below the limit, filters by fields that the index does not have, vectors of other dimensions.
 */
export class FakeMongo implements CacheDocuments {
  readonly options: FakeMongoOptions;
  readonly pipelines: (readonly object[])[] = [];
  readonly documents = new Map<string, Document>();
  readonly indexed: object[] = [];
  isDown = false;

  constructor(options: FakeMongoOptions) {
    this.options = options;
  }

  collection(): CacheCollection {
    return {
      aggregate: async (pipeline) => {
        this.#reach();
        this.pipelines.push(pipeline);
        return structuredClone(this.#run(pipeline));
      },
      replace: async (document) => {
        this.#reach();
        this.documents.set(document._id, structuredClone(document));
      },
      remove: async (filter) => {
        this.#reach();
        for (const [id, document] of this.documents) if (matches(document, filter)) this.documents.delete(id);
      },
      ensureIndex: async (keys, { expireAfterSeconds }) => {
        this.#reach();
        this.indexed.push({ keys, expireAfterSeconds });
      },
    };
  }

  #reach(): void {
    if (this.isDown)
      throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:27017'), { name: 'MongoNetworkError' });
  }

  #run(pipeline: readonly object[]): readonly Document[] {
    let documents: readonly Document[] = [...this.documents.values()];
    for (const [at, stage] of pipeline.entries()) {
      const [name = ''] = Object.keys(stage);
      const value = (stage as Record<string, Record<string, unknown> | undefined>)[name];
      if (at > 0 && /[Ss]earch/.test(name)) throw new FakeServerError(40_602, `${name} must be the first stage`);
      documents = this.#stage(name, value ?? {}, documents);
    }
    return documents;
  }

  #stage(name: string, value: Record<string, unknown>, documents: readonly Document[]): readonly Document[] {
    switch (name) {
      case '$match':
        return documents.filter((document) => matches(document, value));
      case '$sort':
        return sorted(documents, value);
      case '$skip':
        return documents.slice(Number(value));
      case '$limit':
        if (!(Number(value) > 0)) throw new FakeServerError(15_958, 'the limit must be positive');
        return documents.slice(0, Number(value));
      case '$project':
        return documents.map((document) => withoutFields(document, value));
      case '$group':
        return documents.length === 0 ? [] : [{ entries: documents.length, bytes: sum(documents) }];
      case '$listSearchIndexes':
        if (this.options.server !== 'atlas') throw new FakeServerError(31_082, 'search indexes are not enabled');
        return (this.options.indexes ?? []).filter((index) => index.name === value['name']) as unknown as Document[];
      case '$vectorSearch':
        return this.#vectorSearch(value, documents);
      case '$search':
        return this.#search(value, documents);
      default:
        throw new FakeServerError(40_324, `Unrecognized pipeline stage name: ${name}`);
    }
  }

  #vectorSearch(value: Record<string, unknown>, documents: readonly Document[]): readonly Document[] {
    if (this.options.server !== 'atlas') throw new FakeServerError(31_082, '$vectorSearch is not enabled');
    const { index, path, queryVector, numCandidates, limit, filter } = value;
    const [most, candidates] = [Number(limit), Number(numCandidates)];
    if (!(most > 0) || candidates < most || candidates > 10_000) throw new FakeServerError(2, 'numCandidates');
    const known = this.options.indexes?.find(({ name }) => name === index);
    // Atlas finds nothing by an index that is not there.
    if (known === undefined) return [];
    const { fields } = known.latestDefinition;
    const vectors = fields.find((field) => field['type'] === 'vector' && field['path'] === path);
    const asked = new Float32Array(queryVector as number[]);
    if (vectors === undefined || vectors['numDimensions'] !== asked.length) throw new FakeServerError(8, 'dimensions');
    for (const name of Object.keys(filter as object)) {
      const isFilter = fields.some((field) => field['type'] === 'filter' && field['path'] === name);
      if (!isFilter) throw new FakeServerError(8, `Path '${name}' needs to be indexed as filter`);
    }
    return nearest(
      documents.filter((one) => matches(one, filter as object)),
      String(path),
      asked,
      most,
    );
  }

  #search(value: Record<string, unknown>, documents: readonly Document[]): readonly Document[] {
    const { vector, path, similarity, k, ...more } = (value['vectorSearch'] ?? {}) as Record<string, unknown>;
    if (this.options.server !== 'document_db') throw new FakeServerError(40_324, 'Unrecognized pipeline stage name');
    if (Object.keys(more).length > 0 || similarity !== 'cosine' || !(Number(k) > 0))
      throw new FakeServerError(9, 'bad');
    const asked = new Float32Array(vector as number[]);
    if (this.options.documentDbDimensions !== asked.length) throw new FakeServerError(2, 'no vector index');
    return nearest(documents, String(path), asked, Number(k));
  }
}

/** An index as the README of the router tells to make it. */
export function fakeIndex(
  changes: { name?: string; path?: string; dimensions?: number; filters?: string[]; queryable?: boolean } = {},
): FakeIndex {
  const { name = 'portcullis_ai_cache', path = 'vector', dimensions = 16, queryable = true } = changes;
  const filters = changes.filters ?? ['space', 'partition', 'expires_at'];
  const vector = { type: 'vector', path, numDimensions: dimensions, similarity: 'cosine' };
  return {
    name,
    queryable,
    latestDefinition: { fields: [vector, ...filters.map((one) => ({ type: 'filter', path: one }))] },
  };
}

function nearest(documents: readonly Document[], path: string, asked: Float32Array, most: number): readonly Document[] {
  return documents
    .filter((document) => vectorAt(document, path).length === asked.length)
    .toSorted((one, other) => cosine(asked, vectorAt(other, path)) - cosine(asked, vectorAt(one, path)))
    .slice(0, most);
}

function sorted(documents: readonly Document[], order: Record<string, unknown>): readonly Document[] {
  return documents.toSorted((one, other) => {
    for (const [field, direction] of Object.entries(order)) {
      const [left, right] = [one[field] as number, other[field] as number];
      if (left !== right) return (left < right ? -1 : 1) * Number(direction);
    }
    return 0;
  });
}

function sum(documents: readonly Document[]): number {
  return documents.reduce((total, { bytes }) => total + Number(bytes), 0);
}
