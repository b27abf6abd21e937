import type { LikeEntry, VectorQuery } from '../../answer-store.ts';
import { PARTITION_ENTRIES_MAX } from '../store-bounds.ts';
import { FollowedPartition } from './followed-partition.ts';
import { likest } from './likest.ts';
import type { PartitionFeed } from './partition-feed.ts';

/** Memory for copies of partitions, of one cache in one process. */
export const FOLLOWED_BYTES_MAX: number = 16 * 1024 * 1024;

/** Partitions that are followed at a time: most have a few entries. */
export const FOLLOWED_PARTITIONS_MAX = 1024;

/** Settings of {@link PartitionScan}. */
export interface PartitionScanOptions {
  readonly feed: PartitionFeed;
  readonly clock: { nowMs(): number };
  readonly entriesMax?: number;
  readonly bytesMax?: number;
}

/**
 * Compares the entries of a partition one by one, in this process, for stores that cannot. The partitions that were used last are kept as copies
 * that follow the store, so that vectors go over the network once for each process.
 */
export class PartitionScan {
  readonly #feed: PartitionFeed;
  readonly #clock: PartitionScanOptions['clock'];
  readonly #entriesMax: number;
  readonly #bytesMax: number;
  /** Used last is last. */
  readonly #followed = new Map<string, FollowedPartition>();

  constructor({ feed, clock, entriesMax, bytesMax }: PartitionScanOptions) {
    this.#feed = feed;
    this.#clock = clock;
    this.#entriesMax = entriesMax ?? PARTITION_ENTRIES_MAX;
    this.#bytesMax = bytesMax ?? FOLLOWED_BYTES_MAX;
  }

  /** Copies that are held. */
  get size(): number {
    return this.#followed.size;
  }

  /** Rejects with what the feed rejects with. */
  async findLike(query: VectorQuery): Promise<readonly LikeEntry[]> {
    const followed = this.#use(query.partition);
    await followed.follow();
    const found = likest(followed.entries(this.#clock.nowMs()), query);
    this.#trim();
    if (found.length === 0) return [];
    const answers = await this.#feed.answers(found.map(({ item }) => item.key));
    const like: LikeEntry[] = [];
    for (const [at, { item, similarity }] of found.entries()) {
      const answer = answers.get(item.key);
      if (answer !== undefined) like.push({ key: item.key, prompt: item.prompt, similarity, answer });
      // What comes before one that was brought is gone; what comes after the last may be too much only.
      else if (found.slice(at + 1).some((later) => answers.has(later.item.key)) || answers.size === 0)
        followed.forget(item.key);
    }
    return like;
  }

  #use(partition: string): FollowedPartition {
    const known = this.#followed.get(partition);
    const followed = known ?? new FollowedPartition(partition, this.#feed, this.#entriesMax);
    this.#followed.delete(partition);
    this.#followed.set(partition, followed);
    return followed;
  }

  /** Lets go of the copies that were not used for longest. */
  #trim(): void {
    let bytes = 0;
    for (const { bytes: own } of this.#followed.values()) bytes += own;
    for (const [partition, followed] of this.#followed) {
      if (bytes <= this.#bytesMax && this.#followed.size <= FOLLOWED_PARTITIONS_MAX) return;
      this.#followed.delete(partition);
      bytes -= followed.bytes;
    }
  }
}
