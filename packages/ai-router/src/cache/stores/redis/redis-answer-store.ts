import { randomUUID } from 'node:crypto';
import type { LimitStore } from '../../../policy/shared-limits.ts';
import type { AnswerStore, CacheEntry, KeptAnswer, LikeEntry, VectorQuery } from '../../answer-store.ts';
import { answerText, comparedText } from '../kept-text.ts';
import type { FollowedCopies } from '../scan/followed-copies.ts';
import { PartitionScan } from '../scan/partition-scan.ts';
import {
  ENTRY_BYTES_MAX,
  entryBytes,
  PARTITION_ENTRIES_MAX,
  SPACE_ENTRIES_MAX,
  type StoreBounds,
  WRITE_TIMEOUT_MS,
} from '../store-bounds.ts';
import { unavailable } from '../store-error.ts';
import { entryKey, logKey, RedisFeed, vectorsKey } from './redis-feed.ts';
import { forgetScript, putScript } from './redis-scripts.ts';

/** Bytes of one tenant's answers: the store is made for counters, and its memory is all tenants'. */
export const REDIS_SPACE_BYTES_MAX: number = 16 * 1024 * 1024;

const INDEX_KEY = 'ai-cache:index';
const SIZES_KEY = 'ai-cache:sizes';

/** Settings of {@link RedisAnswerStore}. */
export interface RedisAnswerStoreOptions {
  /** Its keys are one tenant's. */
  readonly store: LimitStore;
  readonly clock: { nowMs(): number };
  /** Default: its own. */
  readonly copies?: FollowedCopies | undefined;
  readonly bounds?: StoreBounds;
  /** Names a new generation of a partition. */
  readonly newId?: () => string;
}

/**
 * Answers in Redis, for all gateways of a tenant. Redis has no vectors: each process follows the partitions that it searches, and compares their entries
 * itself. Beyond the bounds those that end first go first.
 */
export class RedisAnswerStore implements AnswerStore {
  readonly #store: LimitStore;
  readonly #clock: RedisAnswerStoreOptions['clock'];
  readonly #bounds: StoreBounds;
  readonly #newId: () => string;
  readonly #feed: RedisFeed;
  readonly #scan: PartitionScan;

  constructor({ store, clock, copies, bounds = redisBounds, newId = randomUUID }: RedisAnswerStoreOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#bounds = bounds;
    this.#newId = newId;
    this.#feed = new RedisFeed(store, clock);
    this.#scan = new PartitionScan({ feed: this.#feed, clock, copies, entriesMax: bounds.partitionEntriesMax });
  }

  async get(key: string): Promise<KeptAnswer | undefined> {
    return (await this.#feed.answers([key])).get(key);
  }

  async findLike(query: VectorQuery): Promise<readonly LikeEntry[]> {
    return this.#scan.findLike(query);
  }

  async put(entry: CacheEntry): Promise<void> {
    const { key, partition, answer } = entry;
    const nowMs = this.#clock.nowMs();
    const bytes = entryBytes(entry);
    if (bytes > ENTRY_BYTES_MAX || answer.expiresAtMs <= nowMs) return;
    const { spaceEntriesMax, spaceBytesMax, partitionEntriesMax } = this.#bounds;
    const keys = [entryKey(key), INDEX_KEY, SIZES_KEY, logKey(partition), vectorsKey(partition)];
    const what = [key, partition, answerText(answer), comparedText(entry), bytes, answer.expiresAtMs, nowMs];
    const bounds = [this.#newId(), spaceEntriesMax, spaceBytesMax, partitionEntriesMax];
    const call = { timeoutMs: WRITE_TIMEOUT_MS };
    try {
      const said = await this.#store.run(putScript, keys, [...what, ...bounds], call);
      const victims = Array.isArray(said) ? said.slice(1).map(String) : [];
      if (victims.length === 0) return;
      const gone = victims.filter((_, at) => at % 2 === 0);
      const places = gone.flatMap((one, at) => {
        const where = victims[2 * at + 1] ?? '';
        return [entryKey(one), logKey(where), vectorsKey(where)];
      });
      await this.#store.run(forgetScript, places, gone, call);
    } catch (error) {
      throw unavailable(error);
    }
  }
}

const redisBounds: StoreBounds = {
  spaceEntriesMax: SPACE_ENTRIES_MAX,
  spaceBytesMax: REDIS_SPACE_BYTES_MAX,
  partitionEntriesMax: PARTITION_ENTRIES_MAX,
};
