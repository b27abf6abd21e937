import { describe, expect, it } from 'vitest';
import type { CacheEntry, KeptAnswer } from '../../answer-store.ts';
import { contractClock, entryOf, vectorOfSeed } from '../contract-entries.test-support.ts';
import { FEED_PAGE_MAX, type FeedPage, type PartitionFeed } from './partition-feed.ts';
import { FollowedCopies } from './followed-copies.ts';
import { PartitionScan } from './partition-scan.ts';

/** A feed over lists, which counts its pages. */
class ListFeed implements PartitionFeed {
  readonly partitions = new Map<string, CacheEntry[]>();
  generation = 'first';
  pages = 0;
  answersMax = Infinity;
  failsAt = Infinity;

  put(partition: string, ...entries: readonly CacheEntry[]): void {
    this.partitions.set(partition, [...(this.partitions.get(partition) ?? []), ...entries]);
  }

  async since(partition: string, cursor: string): Promise<FeedPage> {
    this.pages += 1;
    if (this.pages >= this.failsAt) throw new Error('gone');
    const all = this.partitions.get(partition) ?? [];
    const start = Number(cursor);
    const entries = all.slice(start, start + FEED_PAGE_MAX).map(({ key, prompt, vector, answer }) => ({
      ...{ key, prompt, vector: vector ?? new Float32Array(0), expiresAtMs: answer.expiresAtMs },
    }));
    const next = start + entries.length;
    return { entries, cursor: String(next), hasMore: entries.length === FEED_PAGE_MAX, generation: this.generation };
  }

  async answers(keys: readonly string[]): Promise<ReadonlyMap<string, KeptAnswer>> {
    const all = new Map([...this.partitions.values()].flat().map(({ key, answer }) => [key, answer]));
    const found = keys.flatMap((key) => {
      const answer = all.get(key);
      return answer === undefined ? [] : [[key, answer] as const];
    });
    return new Map(found.slice(0, this.answersMax));
  }
}

const clock = contractClock();
const vector = vectorOfSeed(1);
const like = (seeds: readonly number[]): CacheEntry[] => seeds.map((seed) => entryOf({ seed, clock, vector }));
const query = { partition: 'p', vector, similarityMin: 0.9, limit: 100 };
const keyOf = (seed: number): string => entryOf({ seed }).key;
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

describe('scans of followed partitions', () => {
  it('read a partition once, and then what is new', async () => {
    const feed = new ListFeed();
    const scan = new PartitionScan({ feed, clock });
    feed.put('p', ...like(range(250)));
    expect((await scan.findLike({ ...query, limit: 3 })).map(({ key }) => key)).toEqual([249, 248, 247].map(keyOf));
    expect(feed.pages).toBe(3);
    feed.put('p', ...like([250]));
    expect((await scan.findLike({ ...query, limit: 1 })).map(({ key }) => key)).toEqual([keyOf(250)]);
    expect(feed.pages).toBe(4);
  });

  it('searches that come at once read it together', async () => {
    const feed = new ListFeed();
    const scan = new PartitionScan({ feed, clock });
    feed.put('p', ...like(range(150)));
    const found = await Promise.all(range(10).map(() => scan.findLike(query)));
    expect(found.map(({ length }) => length)).toEqual(range(10).map(() => 100));
    expect(feed.pages).toBe(2);
  });

  it('begin anew when the partition was lost', async () => {
    const feed = new ListFeed();
    const scan = new PartitionScan({ feed, clock });
    feed.put('p', ...like(range(5)));
    await scan.findLike(query);
    feed.partitions.clear();
    feed.put('p', ...like([9]));
    feed.generation = 'second';
    expect((await scan.findLike(query)).map(({ key }) => key)).toEqual([keyOf(9)]);
  });

  it('keep to the newest, however fast it is filled', async () => {
    const feed = new ListFeed();
    const scan = new PartitionScan({ feed, clock, entriesMax: 100 });
    feed.put('p', ...like(range(1000)));
    const found = await scan.findLike({ ...query, limit: 1000 });
    expect(found.length).toBeLessThanOrEqual(100);
    // A reading that would never end is ended: the next one goes on.
    expect(feed.pages).toBeLessThanOrEqual(4);
  });

  it('forget what is gone, and not what was too much for one search', async () => {
    const feed = new ListFeed();
    const scan = new PartitionScan({ feed, clock });
    feed.put('p', ...like(range(4)));
    feed.answersMax = 2;
    expect((await scan.findLike(query)).map(({ key }) => key)).toEqual([3, 2].map(keyOf));
    feed.answersMax = Infinity;
    expect(await scan.findLike(query)).toHaveLength(4);
    feed.partitions.set('p', like([0, 1]));
    expect((await scan.findLike(query)).map(({ key }) => key)).toEqual([1, 0].map(keyOf));
  });

  it('hold copies within their bounds, of all caches together: those that were not used for longest go', async () => {
    const feeds = [new ListFeed(), new ListFeed()];
    const copies = new FollowedCopies({ bytesMax: 150_000 });
    const scans = feeds.map((feed) => new PartitionScan({ feed, clock, copies }));
    for (const feed of feeds) feed.put('p0', ...like(range(150)));
    for (const at of range(60)) {
      for (const feed of feeds) if (at > 0) feed.put(`p${at}`, ...like(range(20)));
      for (const scan of scans) await scan.findLike({ ...query, partition: `p${at}` });
      await scans[0]?.findLike({ ...query, partition: 'p0' });
      expect(copies.bytes).toBeLessThanOrEqual(150_000);
    }
    expect(copies.size).toBeGreaterThan(2);
    const before = feeds.map(({ pages }) => pages);
    for (const scan of scans) expect(await scan.findLike({ ...query, partition: 'p0' })).toHaveLength(100);
    // The one that was used each time is still there, the other one is read again: two pages.
    expect(feeds.map(({ pages }, at) => pages - (before[at] ?? 0))).toEqual([1, 2]);
  });

  it('hold no more copies than so many, however small they are', async () => {
    const feed = new ListFeed();
    const copies = new FollowedCopies({ partitionsMax: 10 });
    const scan = new PartitionScan({ feed, clock, copies });
    for (const at of range(50)) await scan.findLike({ ...query, partition: `empty ${at}` });
    expect(copies.size).toBe(10);
    expect(copies.bytes).toBe(0);
  });

  it('a reading that fails fails its searches, and the next one goes on where it was', async () => {
    const feed = new ListFeed();
    const scan = new PartitionScan({ feed, clock });
    feed.put('p', ...like(range(150)));
    feed.failsAt = 2;
    await expect(scan.findLike(query)).rejects.toThrow('gone');
    feed.failsAt = Infinity;
    expect(await scan.findLike({ ...query, limit: 1000 })).toHaveLength(150);
    expect(feed.pages).toBe(3);
  });
});
