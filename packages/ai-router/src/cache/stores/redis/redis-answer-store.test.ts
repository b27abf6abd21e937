import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { testStore, type TestStore } from '../../../policy/limits.test-support.ts';
import { describeAnswerStore } from '../answer-store.contract.test-support.ts';
import { contractClock, entryOf, HOUR_MS, vectorOfSeed } from '../contract-entries.test-support.ts';
import { RedisAnswerStore } from './redis-answer-store.ts';

const REDIS_URL = process.env['PORTCULLIS_TEST_REDIS_URL'];

/** The store as hosts give it: what stands before each key is the host's. */
function prefixed(test: TestStore, space: string) {
  const prefix = `${test.prefix}:${space}:`;
  return {
    run: (...[script, keys, args, options]: Parameters<TestStore['run']>) =>
      test.run(
        script,
        keys.map((key) => prefix + key),
        args,
        options,
      ),
  };
}

describe.skipIf(REDIS_URL === undefined)('in Redis (PORTCULLIS_TEST_REDIS_URL)', () => {
  describeAnswerStore('Redis', { isShared: true, hasSpaces: true, isBounded: true }, async () => {
    const test = testStore(REDIS_URL ?? '');
    return {
      open: ({ clock, space = 'acme', bounds }) =>
        new RedisAnswerStore({ store: prefixed(test, space), clock, ...(bounds && { bounds }) }),
      [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
    };
  });

  it('every key has an expiry, and nothing is left of what was forgotten', async () => {
    await using test = testStore(REDIS_URL ?? '');
    const clock = contractClock();
    const bounds = { spaceEntriesMax: 2, spaceBytesMax: 1_000_000, partitionEntriesMax: 10 };
    const store = new RedisAnswerStore({ store: prefixed(test, 'acme'), clock, bounds });
    for (let seed = 0; seed < 6; seed += 1) {
      clock.ms += 1;
      await store.put(entryOf({ seed, clock, partition: `p${seed % 2}`, lastsMs: HOUR_MS }));
    }
    const keys = await test.keys();
    for (const key of keys) {
      const leftMs = await test.redis.pttl(key);
      expect(leftMs, key).toBeGreaterThan(0);
      expect(leftMs, key).toBeLessThanOrEqual(HOUR_MS);
    }
    expect(keys.filter((key) => key.includes(':answer:'))).toHaveLength(2);
    for (const key of keys.filter((name) => name.includes(':log:'))) expect(await test.redis.zcard(key)).toBe(1);
    for (const key of keys.filter((name) => name.includes(':vectors:'))) expect(await test.redis.hlen(key)).toBe(3);
    for (const key of keys.filter((name) => name.includes(':sizes'))) expect(await test.redis.hlen(key)).toBe(3);
  });

  it('an answer that finds no room after all that one call removes is not kept, and nothing grows', async () => {
    await using test = testStore(REDIS_URL ?? '');
    const clock = contractClock();
    const bounds = { spaceEntriesMax: 1000, spaceBytesMax: 400_000, partitionEntriesMax: 1000 };
    const store = new RedisAnswerStore({ store: prefixed(test, 'acme'), clock, bounds });
    for (let seed = 0; seed < 300; seed += 1) await store.put(entryOf({ seed, clock, vector: null }));
    const large = { seed: 1000, clock, vector: null, body: JSON.stringify('x'.repeat(390_000)) };
    await store.put(entryOf(large));
    expect(await store.get(entryOf(large).key)).toBeUndefined();
    // What was removed for it makes room for the next.
    for (let tries = 0; tries < 3; tries += 1) await store.put(entryOf(large));
    expect(await store.get(entryOf(large).key)).toBeDefined();
    const sizes = (await test.keys()).find((key) => key.endsWith(':sizes')) ?? '';
    expect(Number(await test.redis.hget(sizes, '#'))).toBeLessThanOrEqual(bounds.spaceBytesMax);
  });

  it('what was written by another release is not there, and a partition that was lost is read anew', async () => {
    await using test = testStore(REDIS_URL ?? '');
    const clock = contractClock();
    const store = new RedisAnswerStore({ store: prefixed(test, 'acme'), clock, newId: randomUUID });
    const vector = vectorOfSeed(1);
    const query = { partition: entryOf({ seed: 1 }).partition, vector, similarityMin: 0.9, limit: 10 };
    for (const seed of [1, 2, 3]) await store.put(entryOf({ seed, clock, vector }));
    expect(await store.findLike(query)).toHaveLength(3);
    await test.redis.del(...(await test.keys()));
    await store.put(entryOf({ seed: 4, clock, vector }));
    expect((await store.findLike(query)).map(({ key }) => key)).toEqual([entryOf({ seed: 4 }).key]);
    const answer = (await test.keys()).find((key) => key.includes(':answer:')) ?? '';
    await test.redis.set(answer, '{"version":2}', 'PX', HOUR_MS);
    expect(await store.get(entryOf({ seed: 4 }).key)).toBeUndefined();
    expect(await store.findLike(query)).toEqual([]);
  });

  it('a store that fails is unavailable, and says nothing of where it is', async () => {
    const store = new RedisAnswerStore({
      store: { run: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1:6379')) },
      clock: contractClock(),
    });
    const failure: unknown = await store.get('k').catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'AnswerStoreError', code: 'unavailable' });
    expect(String(failure)).not.toContain('10.0.0.1');
    await expect(store.put(entryOf({ seed: 1, clock: contractClock() }))).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});
