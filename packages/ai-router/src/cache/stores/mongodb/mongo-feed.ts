import type { KeptAnswer } from '../../answer-store.ts';
import type { CacheCollection } from '../data-ports.ts';
import { FEED_PAGE_MAX, type FeedPage, type PartitionFeed } from '../scan/partition-feed.ts';
import { READ_TIMEOUT_MS, RESULT_BYTES_MAX } from '../store-bounds.ts';
import { unavailable } from '../store-error.ts';
import { answerOf, type Document, documentId, endOf, promptOf, vectorAt } from './documents.ts';

/** The gateways' clocks differ by less: what was put so long before the last one that was seen is asked for again. */
export const CLOCKS_APART_MS = 5000;

/** What an answer is made of. */
const answerFields = { key: 1, provider: 1, model: 1, body: 1, stored_at: 1, expires_at: 1 } as const;

/** Settings of {@link MongoFeed}. */
export interface MongoFeedOptions {
  readonly collection: CacheCollection;
  readonly space: string;
  readonly vectorPath: string;
  readonly clock: { nowMs(): number };
}

/** Partitions in MongoDB, in the order of the times at which entries were stored. */
export class MongoFeed implements PartitionFeed {
  readonly #options: MongoFeedOptions;

  constructor(options: MongoFeedOptions) {
    this.#options = options;
  }

  async since(partition: string, cursor: string, isFirst: boolean): Promise<FeedPage> {
    const { space, vectorPath, clock } = this.#options;
    const at = cursor.indexOf(':');
    const [storedAt, id] = [Number(cursor.slice(0, Math.max(0, at))), cursor.slice(at + 1)];
    const later = isFirst
      ? { stored_at: { $gte: storedAt - CLOCKS_APART_MS } }
      : { $or: [{ stored_at: { $gt: storedAt } }, { stored_at: storedAt, _id: { $gt: id } }] };
    const documents = await this.#read([
      { $match: { space, partition, expires_at: { $gt: new Date(clock.nowMs()) }, ...later } },
      { $sort: { stored_at: 1, _id: 1 } },
      { $limit: FEED_PAGE_MAX },
      { $project: { body: 0 } },
    ]);
    const entries = documents
      .map((document) => ({
        key: String(document['key']),
        prompt: promptOf(document),
        vector: vectorAt(document, vectorPath),
        expiresAtMs: endOf(document['expires_at']),
      }))
      .filter(({ vector }) => vector.length > 0);
    const last = documents.at(-1);
    return {
      entries,
      cursor: last === undefined ? cursor : `${Number(last['stored_at'])}:${String(last['_id'])}`,
      hasMore: documents.length === FEED_PAGE_MAX,
      generation: '',
    };
  }

  async answers(keys: readonly string[]): Promise<ReadonlyMap<string, KeptAnswer>> {
    const { space, clock } = this.#options;
    const ids = keys.map((key) => documentId(space, key));
    const isWanted = { _id: { $in: ids }, expires_at: { $gt: new Date(clock.nowMs()) } };
    // Sizes first: together the answers may be too much.
    const sizes = await this.#read([{ $match: isWanted }, { $project: { bytes: 1 } }]);
    const bytesOf = new Map(sizes.map(({ _id: id, bytes }) => [String(id), Number(bytes)]));
    let left = RESULT_BYTES_MAX;
    const taken = ids.filter((id) => {
      const bytes = bytesOf.get(id);
      if (bytes === undefined || left <= 0) return false;
      left -= bytes;
      return true;
    });
    if (taken.length === 0) return new Map();
    const found = await this.#read([{ $match: { _id: { $in: taken } } }, { $project: answerFields }]);
    return new Map(found.map((document) => [String(document['key']), answerOf(document)]));
  }

  async #read(pipeline: readonly object[]): Promise<readonly Document[]> {
    try {
      return await this.#options.collection.aggregate(pipeline, { timeoutMs: READ_TIMEOUT_MS });
    } catch (error) {
      throw unavailable(error);
    }
  }
}
