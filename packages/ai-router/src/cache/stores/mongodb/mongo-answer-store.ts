import type { AnswerStore, CacheEntry, KeptAnswer, LikeEntry, VectorQuery } from '../../answer-store.ts';
import type { CacheCollection, CacheDocuments } from '../data-ports.ts';
import { cosine } from '../scan/likest.ts';
import type { FollowedCopies } from '../scan/followed-copies.ts';
import { PartitionScan } from '../scan/partition-scan.ts';
import {
  databaseBounds,
  ENTRY_BYTES_MAX,
  entryBytes,
  READ_TIMEOUT_MS,
  type StoreBounds,
  WRITE_TIMEOUT_MS,
} from '../store-bounds.ts';
import { noIndex, unavailable } from '../store-error.ts';
import { type Document, documentOf, promptOf, vectorAt } from './documents.ts';
import { MongoFeed } from './mongo-feed.ts';
import { sweep } from './mongo-sweep.ts';
import { isRefusedSearch } from './server-error.ts';
import { VectorIndex } from './vector-index.ts';
import { type VectorForm, vectorStages } from './vector-stages.ts';

/** Where answers are. */
export const COLLECTION = 'portcullis_ai_cache';

/** So many answers are put between two sweeps of a process. */
export const PUTS_PER_SWEEP = 32;

/** Settings of {@link MongoAnswerStore}. */
export interface MongoAnswerStoreOptions {
  readonly documents: CacheDocuments;
  readonly space: string;
  readonly clock: { nowMs(): number; monotonicMs(): number };
  /** How the server compares vectors; `undefined`: this process does. */
  readonly form: VectorForm | undefined;
  readonly indexName: string;
  readonly vectorPath: string;
  readonly dimensions: number;
  readonly candidatesMax: number;
  /** Whether this process may compare where the server has no index. */
  readonly allowsScan: boolean;
  /** Default: its own. */
  readonly copies?: FollowedCopies | undefined;
  readonly bounds?: StoreBounds;
  readonly putsPerSweep?: number;
}

/** Answers in MongoDB, or in what speaks as it does. Beyond the bounds the oldest go first. */
export class MongoAnswerStore implements AnswerStore {
  readonly #options: MongoAnswerStoreOptions;
  readonly #collection: CacheCollection;
  readonly #bounds: StoreBounds;
  readonly #feed: MongoFeed;
  readonly #scan: PartitionScan;
  readonly #index: VectorIndex;
  #indexes: Promise<void> | undefined;
  #puts = 0;

  constructor(options: MongoAnswerStoreOptions) {
    const { documents, space, clock, vectorPath, copies, bounds = databaseBounds } = options;
    this.#options = options;
    this.#bounds = bounds;
    this.#collection = documents.collection(COLLECTION);
    this.#feed = new MongoFeed({ collection: this.#collection, space, vectorPath, clock });
    this.#scan = new PartitionScan({ feed: this.#feed, clock, copies, entriesMax: bounds.partitionEntriesMax });
    this.#index = new VectorIndex(this.#collection, options);
  }

  async get(key: string): Promise<KeptAnswer | undefined> {
    return (await this.#feed.answers([key])).get(key);
  }

  async findLike(query: VectorQuery): Promise<readonly LikeEntry[]> {
    const { form, allowsScan } = this.#options;
    if (form === undefined) return this.#scan.findLike(query);
    if (await this.#index.isThere()) {
      const found = await this.#searched(form, query);
      if (found !== undefined) return found;
    }
    if (!allowsScan) throw noIndex();
    return this.#scan.findLike(query);
  }

  async put(entry: CacheEntry): Promise<void> {
    const { space, vectorPath, clock, putsPerSweep = PUTS_PER_SWEEP } = this.#options;
    const bytes = entryBytes(entry);
    if (bytes > ENTRY_BYTES_MAX || entry.answer.expiresAtMs <= clock.nowMs()) return;
    try {
      await this.#ready();
      const document = documentOf(space, vectorPath, entry, bytes);
      await this.#collection.replace(document, { timeoutMs: WRITE_TIMEOUT_MS });
      if (this.#puts++ % putsPerSweep === 0) {
        await sweep(this.#collection, { space, partition: entry.partition }, this.#bounds);
      }
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** `undefined` when the server refuses such a search. */
  async #searched(form: VectorForm, query: VectorQuery): Promise<readonly LikeEntry[] | undefined> {
    const { indexName, vectorPath: path, space, candidatesMax, clock } = this.#options;
    const { partition, vector, limit, similarityMin } = query;
    const filter = { space, partition, expires_at: { $gt: new Date(clock.nowMs()) } };
    const stage = { form, indexName, path, vector: [...vector], limit, filter };
    const pipeline = [
      ...vectorStages({ ...stage, candidatesMax: Math.max(candidatesMax, limit) }),
      { $project: { body: 0 } },
    ];
    try {
      const documents = await this.#collection.aggregate(pipeline, { timeoutMs: READ_TIMEOUT_MS });
      // Scores mean something else in each server and for each kind of index: the cosine is our own.
      const scored = documents
        .map((document) => ({ document, similarity: cosine(vector, vectorAt(document, path)) }))
        .filter(({ similarity }) => similarity >= similarityMin)
        .toSorted((one, other) => other.similarity - one.similarity || laterFirst(one.document, other.document));
      if (scored.length === 0) return [];
      const answers = await this.#feed.answers(scored.map(({ document }) => String(document['key'])));
      return scored.flatMap(({ document, similarity }) => {
        const key = String(document['key']);
        const answer = answers.get(key);
        return answer === undefined ? [] : [{ key, prompt: promptOf(document), similarity, answer }];
      });
    } catch (error) {
      if (!isRefusedSearch(error)) throw unavailable(error);
      this.#index.wasRefused();
      return undefined;
    }
  }

  /** The indexes of plain fields: for looking into partitions, and so that the server deletes what is past its time. */
  #ready(): Promise<void> {
    const call = { timeoutMs: WRITE_TIMEOUT_MS };
    const make = async (): Promise<void> => {
      await this.#collection.ensureIndex({ expires_at: 1 }, { ...call, expireAfterSeconds: 0 });
      await this.#collection.ensureIndex({ space: 1, partition: 1, stored_at: 1 }, call);
      await this.#collection.ensureIndex({ space: 1, stored_at: 1 }, call);
    };
    this.#indexes ??= make().catch((error: unknown) => {
      this.#indexes = undefined;
      throw error;
    });
    return this.#indexes;
  }
}

function laterFirst(one: Document, other: Document): number {
  return Number(other['stored_at']) - Number(one['stored_at']);
}
