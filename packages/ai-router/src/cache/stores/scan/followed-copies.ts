import { FollowedPartition } from './followed-partition.ts';
import type { PartitionFeed } from './partition-feed.ts';

/** Memory for copies of partitions in one process, of all caches and tenants together. */
export const FOLLOWED_BYTES_MAX: number = 64 * 1024 * 1024;

/** Partitions that are followed at a time: most have a few entries. */
export const FOLLOWED_PARTITIONS_MAX = 4096;

/** Settings of {@link FollowedCopies}. */
export interface FollowedCopiesOptions {
  readonly bytesMax?: number;
  readonly partitionsMax?: number;
}

interface Copy {
  readonly owner: PartitionFeed;
  readonly partition: string;
  readonly followed: FollowedPartition;
  /** When it was counted last. */
  bytes: number;
}

/**
 * The copies of partitions that a process holds. Those that were not used for longest go when they are too many together, whoever they belong to: a tenant with many
 * caches must not fill the memory of all. What went is read again.
 */
export class FollowedCopies {
  readonly #bytesMax: number;
  readonly #partitionsMax: number;
  readonly #byOwner = new WeakMap<PartitionFeed, Map<string, Copy>>();
  /** Used last is last. */
  readonly #used = new Set<Copy>();
  #bytes = 0;

  constructor({ bytesMax = FOLLOWED_BYTES_MAX, partitionsMax = FOLLOWED_PARTITIONS_MAX }: FollowedCopiesOptions = {}) {
    this.#bytesMax = bytesMax;
    this.#partitionsMax = partitionsMax;
  }

  get size(): number {
    return this.#used.size;
  }

  /** About what they take in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The copy of a partition, made where it is missing. @param entriesMax of a new one */
  use(owner: PartitionFeed, partition: string, entriesMax: number): FollowedPartition {
    const own = this.#byOwner.get(owner) ?? new Map<string, Copy>();
    this.#byOwner.set(owner, own);
    const followed = new FollowedPartition(partition, owner, entriesMax);
    const copy = own.get(partition) ?? { owner, partition, followed, bytes: 0 };
    own.set(partition, copy);
    this.#used.delete(copy);
    this.#used.add(copy);
    return copy.followed;
  }

  /** Counts a copy that has grown or shrunk, and lets go of others where there is no room. */
  count(owner: PartitionFeed, partition: string): void {
    const copy = this.#byOwner.get(owner)?.get(partition);
    if (copy !== undefined) {
      this.#bytes += copy.followed.bytes - copy.bytes;
      copy.bytes = copy.followed.bytes;
    }
    for (const oldest of this.#used) {
      if (this.#bytes <= this.#bytesMax && this.#used.size <= this.#partitionsMax) return;
      this.#used.delete(oldest);
      this.#byOwner.get(oldest.owner)?.delete(oldest.partition);
      this.#bytes -= oldest.bytes;
    }
  }
}
