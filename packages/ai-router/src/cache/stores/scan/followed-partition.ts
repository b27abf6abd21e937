import { FEED_PAGE_MAX, type FedEntry, type PartitionFeed } from './partition-feed.ts';

/** What an entry takes in this process beside its prompt and its vector. */
const ENTRY_OVERHEAD_BYTES = 300;

/**
 * This process's copy of what is compared of one partition. It follows the store: each search asks only for what is new. Answers are not in
 * it: what the store forgot is found missing when its answer is asked for.
 */
export class FollowedPartition {
  readonly #partition: string;
  readonly #feed: PartitionFeed;
  readonly #entriesMax: number;
  readonly #entries = new Map<string, FedEntry>();
  #cursor = '';
  #generation = '';
  #following: Promise<void> | undefined;
  #bytes = 0;

  constructor(partition: string, feed: PartitionFeed, entriesMax: number) {
    this.#partition = partition;
    this.#feed = feed;
    this.#entriesMax = entriesMax;
  }

  /** About what it takes in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Oldest first. */
  entries(nowMs: number): readonly FedEntry[] {
    for (const entry of this.#entries.values()) if (entry.expiresAtMs <= nowMs) this.forget(entry.key);
    return [...this.#entries.values()];
  }

  forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= bytesOf(entry);
  }

  /** Reads what is new. Searches that come meanwhile wait for the same reading. */
  follow(): Promise<void> {
    this.#following ??= this.#read().finally(() => (this.#following = undefined));
    return this.#following;
  }

  async #read(): Promise<void> {
    // Twice what it may hold: a partition that is filled faster than it is read ends no search.
    const pagesMax = 2 * Math.ceil(this.#entriesMax / FEED_PAGE_MAX) + 1;
    for (let page = 0; page < pagesMax; page += 1) {
      const { entries, cursor, hasMore, generation } = await this.#feed.since(
        this.#partition,
        this.#cursor,
        page === 0,
      );
      if (generation !== this.#generation) {
        const isRestart = this.#cursor !== '';
        this.#clear(generation);
        if (isRestart) continue;
      }
      for (const entry of entries) this.#take(entry);
      this.#cursor = cursor;
      if (!hasMore) return;
    }
  }

  #take(entry: FedEntry): void {
    this.forget(entry.key);
    this.#entries.set(entry.key, entry);
    this.#bytes += bytesOf(entry);
    if (this.#entries.size <= this.#entriesMax) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.forget(oldest);
  }

  #clear(generation: string): void {
    this.#entries.clear();
    this.#bytes = 0;
    this.#cursor = '';
    this.#generation = generation;
  }
}

function bytesOf({ prompt, vector, key }: FedEntry): number {
  return 2 * (prompt.length + key.length) + vector.byteLength + ENTRY_OVERHEAD_BYTES;
}
