import type { KeptAnswer } from '../../answer-store.ts';

/** What of an entry is compared. */
export interface FedEntry {
  readonly key: string;
  readonly prompt: string;
  readonly vector: Float32Array;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly expiresAtMs: number;
}

/** A piece of what a partition holds. */
export interface FeedPage {
  /** In the order in which they were put; one that was put again comes again. */
  readonly entries: readonly FedEntry[];
  /** Where the next page begins. */
  readonly cursor: string;
  readonly hasMore: boolean;
  /** Another text than before: the partition was lost meanwhile, and its entries have to be read from the beginning. */
  readonly generation: string;
}

/** Entries of one page: the store is held for no longer than it takes to read them. */
export const FEED_PAGE_MAX = 100;

/** A store whose partitions can be followed. Calls take no signal: several searches share what they bring. */
export interface PartitionFeed {
  /**
   * What was put after a cursor.
   * @param cursor of the page before; empty for the beginning
   * @param isFirst whether this call begins to follow, or goes on with the next page
   */
  since(partition: string, cursor: string, isFirst: boolean): Promise<FeedPage>;
  /** Answers by their keys, as far as they are there and not past their time, up to `RESULT_BYTES_MAX` bytes of them in the order of the keys. */
  answers(keys: readonly string[]): Promise<ReadonlyMap<string, KeptAnswer>>;
}
