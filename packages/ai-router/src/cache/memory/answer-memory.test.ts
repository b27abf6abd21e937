import { describe, expect, it } from 'vitest';
import type { CacheEntry } from '../answer-store.ts';
import { describeAnswerStore } from '../stores/answer-store.contract.test-support.ts';
import { contractClock, entryOf, unit, vectorOfSeed } from '../stores/contract-entries.test-support.ts';
import { AnswerMemory } from './answer-memory.ts';
import { TABLE_ROWS_MAX } from './vector-table.ts';

describeAnswerStore('memory', { isShared: false, hasSpaces: true, isBounded: false }, () => {
  let memory: AnswerMemory | undefined;
  return Promise.resolve({
    open: ({ clock, space = 'acme' }) =>
      (memory ??= new AnswerMemory({ clock: { nowMs: () => clock.ms } })).storeOf(space),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
});

const KIB = 1024;
const large = (seed: number, more: Partial<Parameters<typeof entryOf>[0]> = {}): CacheEntry =>
  entryOf({ seed, clock: contractClock(), partition: `p${seed}`, body: JSON.stringify('x'.repeat(10 * KIB)), ...more });

describe('bounds', () => {
  const clock = contractClock();
  const open = (options: { spaceBytesMax?: number; bytesMax?: number } = {}) =>
    new AnswerMemory({ clock: { nowMs: () => clock.ms }, ...options });

  it('what was used longest ago goes first', () => {
    const memory = open({ spaceBytesMax: 100 * KIB });
    const store = memory.storeOf('acme');
    for (const seed of [1, 2, 3]) void store.put(large(seed));
    expect(store.get(large(1).key)).toBeDefined();
    for (const seed of [4, 5]) void store.put(large(seed));
    const kept = [1, 2, 3, 4, 5].filter((seed) => store.get(large(seed).key) !== undefined);
    expect(kept).toContain(1);
    expect(kept).not.toContain(2);
    expect(memory.bytes).toBeLessThanOrEqual(100 * KIB);
  });

  it('a tenant that keeps much takes no room from one that keeps little', () => {
    const memory = open({ spaceBytesMax: 200 * KIB, bytesMax: 300 * KIB });
    const [small, greedy, other] = ['small', 'greedy', 'other'].map((space) => memory.storeOf(space));
    void small?.put(large(0));
    for (let seed = 1; seed < 50; seed += 1) {
      void greedy?.put(large(seed));
      void other?.put(large(seed));
      expect(memory.bytes).toBeLessThanOrEqual(300 * KIB);
    }
    expect(small?.get(large(0).key)).toBeDefined();
    expect(greedy?.get(large(49).key)).toBeDefined();
  });

  it('what it counts comes back to nothing', () => {
    const memory = open();
    const store = memory.storeOf('acme');
    for (let seed = 0; seed < 50; seed += 1) void store.put(large(seed % 7, { partition: 'p' }));
    expect(memory.bytes).toBeGreaterThan(0);
    void store.dispose?.();
    expect(memory.bytes).toBe(0);
    expect(memory.storeOf('acme')).not.toBe(store);
  });

  it(`a partition has ${TABLE_ROWS_MAX} entries, and forgets those that were used longest ago`, async () => {
    const store = open().storeOf('acme');
    const entry = (seed: number): CacheEntry => entryOf({ seed, clock, vector: vectorOfSeed(seed), body: '{}' });
    for (let seed = 0; seed < TABLE_ROWS_MAX; seed += 1) void store.put(entry(seed));
    void store.get(entry(0).key);
    for (let seed = TABLE_ROWS_MAX; seed < TABLE_ROWS_MAX + 10; seed += 1) void store.put(entry(seed));
    const kept = [0, 1, 10, 11, TABLE_ROWS_MAX + 9].map((seed) => store.get(entry(seed).key) !== undefined);
    expect(kept).toEqual([true, false, false, true, true]);
    const { partition, key, vector = unit([1]) } = entry(TABLE_ROWS_MAX + 9);
    const [likest] = await store.findLike({ partition, vector, similarityMin: 0.99, limit: 1 });
    expect(likest?.key).toBe(key);
  });

  it('what is past its time is dropped when others come', () => {
    const memory = open();
    const store = memory.storeOf('acme');
    for (let seed = 0; seed < 8; seed += 1) void store.put(large(seed, { lastsMs: 1000 }));
    const before = memory.bytes;
    clock.ms += 2000;
    for (let seed = 100; seed < 102; seed += 1) void store.put(large(seed, { clock }));
    expect(memory.bytes).toBeLessThan(before / 2);
  });
});
