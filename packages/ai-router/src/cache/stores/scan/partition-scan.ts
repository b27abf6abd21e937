import type { LikeEntry, VectorQuery } from '../../answer-store.ts';
import { PARTITION_ENTRIES_MAX } from '../store-bounds.ts';
import { FollowedCopies } from './followed-copies.ts';
import type { FollowedPartition } from './followed-partition.ts';
import { likest, type Scored } from './likest.ts';
import type { FedEntry, PartitionFeed } from './partition-feed.ts';

/** Settings of {@link PartitionScan}. */
export interface PartitionScanOptions {
  readonly feed: PartitionFeed;
  readonly clock: { nowMs(): number };
  /** Default: its own. */
  readonly copies?: FollowedCopies | undefined;
  readonly entriesMax?: number;
}

/**
 * Compares the entries of a partition one by one, in this process, for stores that cannot. The partitions that were used last are kept as copies
 * that follow the store, so that vectors go over the network once for each process.
 */
export class PartitionScan {
  readonly #feed: PartitionFeed;
  readonly #clock: PartitionScanOptions['clock'];
  readonly #copies: FollowedCopies;
  readonly #entriesMax: number;

  constructor({ feed, clock, copies, entriesMax }: PartitionScanOptions) {
    this.#feed = feed;
    this.#clock = clock;
    this.#copies = copies ?? new FollowedCopies();
    this.#entriesMax = entriesMax ?? PARTITION_ENTRIES_MAX;
  }

  /** Rejects with what the feed rejects with. */
  async findLike(query: VectorQuery): Promise<readonly LikeEntry[]> {
    const { partition } = query;
    const followed = this.#copies.use(this.#feed, partition, this.#entriesMax);
    try {
      await followed.follow();
      const found = likest(followed.entries(this.#clock.nowMs()), query);
      return found.length === 0 ? [] : await this.#answered(found, followed);
    } finally {
      this.#copies.count(this.#feed, partition);
    }
  }

  async #answered(found: readonly Scored<FedEntry>[], followed: FollowedPartition): Promise<readonly LikeEntry[]> {
    const answers = await this.#feed.answers(found.map(({ item }) => item.key));
    const last = found.findLastIndex(({ item }) => answers.has(item.key));
    return found.flatMap(({ item: { key, prompt }, similarity }, at) => {
      const answer = answers.get(key);
      if (answer !== undefined) return [{ key, prompt, similarity, answer }];
      // What comes before one that was brought is gone; what comes after the last may only be too much.
      if (at < last || last === -1) followed.forget(key);
      return [];
    });
  }
}
