import { hasRedis, startRedis } from '@portcullis/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactModel } from '../../../testing/exact-model.ts';
import { handClock } from '../../../testing/hand-clock.ts';
import { testStore, type TestStore } from '../../../testing/redis-store.ts';
import { LimitWindow, limitWindows, type LimitForms } from '../limit-window.ts';
import { RedisLimits } from './redis-limits.ts';
import { STORE_MOMENTS_MAX } from './sliding-script.ts';

const REDIS_URL = process.env['PORTCULLIS_TEST_REDIS_URL'];
const DAY_MS = 86_400_000;
const CLOCK_KEY = `test:clock:${process.pid}:${Math.random()}`;

const HAND_CLOCK = handClock(CLOCK_KEY);

/** Just before the borders that calendars trip over, and somewhere. */
const starts = [
  Date.UTC(2027, 11, 31, 23, 59, 58),
  Date.UTC(2028, 1, 28, 23, 59, 58),
  Date.UTC(2028, 1, 29, 23, 59, 58),
  Date.UTC(2100, 1, 28, 23, 59, 58),
  Date.UTC(2027, 5, 15, 12, 34, 56, 789),
];
const limit = fc.integer({ min: 1, max: 6 });
const seconds = fc.constantFrom(1, 7, 60, 3600, 86_400, 2_592_000);
const config: fc.Arbitrary<LimitForms> = fc.oneof(
  fc.record({ limit, window_seconds: seconds }),
  fc.record({ second: limit, hour: limit, month: limit, year: limit }, { requiredKeys: ['month'] }),
);
const step = fc.record({
  client: fc.constantFrom('a', 'b'),
  waitMs: fc.oneof(
    fc.constant(0),
    fc.constantFrom(1, 999, 1000, 60_000, DAY_MS, 29 * DAY_MS),
    fc.integer({ min: 0, max: 3000 }),
    fc.integer({ min: 0, max: 400 * DAY_MS }),
  ),
});
const steps = fc.array(step, { minLength: 1, maxLength: 40 });

describe.skipIf(REDIS_URL === undefined)('limits in Redis (PORTCULLIS_TEST_REDIS_URL)', () => {
  describe.each(['fixed', 'sliding'] as const)('strategy %s', (strategy) => {
    const isSliding = strategy === 'sliding';

    it(
      'decides as a plain count does, whatever limits, windows, clients and moments',
      { timeout: 60_000 },
      async () => {
        await using store = testStore(REDIS_URL);
        let instance = 0;
        const plan = fc.asyncProperty(
          config,
          fc.constantFrom(...starts),
          steps,
          async (settings, startMs, requests) => {
            const model = new ExactModel();
            const windows = limitWindows(settings);
            const limits = limitsOf(store, windows, isSliding, `i${(instance += 1)}`);
            let nowMs = startMs;
            for (const { client, waitMs } of requests) {
              nowMs += waitMs;
              const expected = model.take(settings, isSliding, client, nowMs, 1);
              await store.redis.set(CLOCK_KEY, nowMs);
              const standings = await limits.take(client);
              expect(standings.every(({ isExceeded }) => !isExceeded)).toBe(expected.passes);
              expect(standings.map(({ remaining }) => remaining)).toEqual(expected.remaining);
              if (expected.passes) continue;
              // Who waits as long as the answer says is let through, and counted.
              nowMs += Math.max(...standings.map((one) => (one.isExceeded ? one.resetSeconds * 1000 : 0)));
              expect(model.take(settings, isSliding, client, nowMs, 1).passes).toBe(true);
              await store.redis.set(CLOCK_KEY, nowMs);
              expect((await limits.take(client)).some(({ isExceeded }) => isExceeded)).toBe(false);
            }
          },
        );
        await fc.assert(plan, { numRuns: 60 });
        await store.redis.del(CLOCK_KEY);
      },
    );

    it.each([
      // Less than a window back: what was begun goes on, and refuses until it is over.
      ['a little back', [120_000, 119_999, 61_000, 60_001, 179_999, 180_000], [true, true, false, false, false, true]],
      // Further back: begins anew, so that nobody waits for the moment at which a clock was wrong.
      ['far back', [DAY_MS, DAY_MS, DAY_MS, 0, 1, 2, 60_001], [true, true, false, true, true, false, true]],
    ])('gives at most one window more when the clock goes %s', async (_name, moments, expected) => {
      await using store = testStore(REDIS_URL);
      const limits = limitsOf(store, [new LimitWindow('default', 'Minute', 2, 60_000)], isSliding, 'back');
      const passed: boolean[] = [];
      for (const nowMs of moments) {
        await store.redis.set(CLOCK_KEY, nowMs);
        passed.push((await limits.take('a'))[0]?.isExceeded === false);
      }
      expect(passed).toEqual(expected);
      await store.redis.del(CLOCK_KEY);
    });

    it('says truly how long to wait, also when the clock went back', async () => {
      await using store = testStore(REDIS_URL);
      const limits = limitsOf(store, [new LimitWindow('default', 'Minute', 1, 60_000)], isSliding, 'wait');
      const takeAt = async (nowMs: number) => {
        await store.redis.set(CLOCK_KEY, nowMs);
        return (await limits.take('a'))[0];
      };
      await takeAt(120_000);
      const refused = await takeAt(70_000);
      expect(refused).toMatchObject({ isExceeded: true, resetSeconds: 110 });
      expect(await takeAt(70_000 + 110_000 - 1)).toMatchObject({ isExceeded: true });
      expect(await takeAt(70_000 + 110_000)).toMatchObject({ isExceeded: false });
      await store.redis.del(CLOCK_KEY);
    });

    it('counts many requests at a time, and not one above the limit', async () => {
      await using store = testStore(REDIS_URL);
      // Neither window ends while this runs.
      const windows = limitWindows({
        limits: [
          { limit: 50, window_seconds: 31_622_400 },
          { limit: 120, window_seconds: 31_622_399 },
        ],
      });
      const one = new RedisLimits({ windows, isSliding, store, instanceId: 'i' });
      const other = new RedisLimits({ windows, isSliding, store, instanceId: 'i' });
      const takes = Array.from({ length: 300 }, (_, index) => (index % 3 === 0 ? one : other).take('a'));
      const standings = await Promise.all(takes);
      expect(standings.filter((list) => list.every(({ isExceeded }) => !isExceeded))).toHaveLength(50);
      expect(standings.at(-1)?.map(({ remaining }) => remaining)).toEqual([0, 70]);
    });

    it('leaves no key that has no end', async () => {
      await using store = testStore(REDIS_URL);
      // Others may use this Redis.
      const instanceId = `ends-${process.pid}-${strategy}`;
      const limits = new RedisLimits({
        windows: limitWindows({ second: 9, hour: 9 }),
        isSliding,
        store,
        instanceId,
      });
      await Promise.all(['a', 'b'].map((client) => limits.take(client)));
      const held = (await store.redis.keys('*')).filter((key) => key.includes(`:limits:${instanceId}:`));
      expect(held.length).toBeGreaterThanOrEqual(2);
      const ends = await Promise.all(held.map((key) => store.redis.pttl(key)));
      expect(ends.every((endMs) => endMs === -2 || (endMs > 0 && endMs <= 3_600_000))).toBe(true);
    });

    it('goes on with the counts when the limits change, and refuses who has used more than there is now', async () => {
      await using store = testStore(REDIS_URL);
      const take = async (settings: LimitForms) => {
        const limits = new RedisLimits({ windows: limitWindows(settings), isSliding, store, instanceId: 'i' });
        return (await limits.take('a'))[0];
      };
      for (let sent = 0; sent < 3; sent += 1) await take({ year: 3 });
      expect(await take({ year: 3 })).toMatchObject({ isExceeded: true });
      expect(await take({ year: 5 })).toMatchObject({ isExceeded: false, remaining: 1 });
      expect(await take({ year: 2 })).toMatchObject({ isExceeded: true, remaining: 0 });
    });
  });

  it.skipIf(!hasRedis)('searches a long list in halves when a limit was lowered far below what is used', async () => {
    await using server = await startRedis();
    await using store = testStore(server.url);
    const of = (limit: number) => limitsOf(store, [new LimitWindow('default', 'Day', limit, DAY_MS)], true, 'lowered');
    for (let sent = 0; sent < 2000; sent += 1) {
      void store.redis.set(CLOCK_KEY, sent * 1000);
      await of(8000).take('a');
    }
    await store.redis.config('RESETSTAT');
    for (let sent = 0; sent < 10; sent += 1) {
      const [standing] = await of(10).take('a');
      // Until the tenth but last is over.
      expect(standing).toMatchObject({ isExceeded: true, resetSeconds: DAY_MS / 1000 - 9 });
    }
    const stats = await store.redis.info('commandstats');
    const reads = [...stats.matchAll(/cmdstat_l(?:index|range):calls=(\d+)/g)].map(([, calls]) => Number(calls));
    // Each in 2 to the 11th entries: the last and the first ones, then 11 halves and what was found.
    expect(reads.reduce((sum, calls) => sum + calls, 0)).toBeLessThanOrEqual(10 * (2 + 12));
    await store.redis.del(CLOCK_KEY);
  });

  it(
    'keeps a bounded number of moments of a sliding window, and never lets more pass',
    { timeout: 60_000 },
    async () => {
      await using store = testStore(REDIS_URL);
      const limits = limitsOf(store, [new LimitWindow('default', 'Hour', 1_000_000, 3_600_000)], true, 'many');
      const rounds = 40;
      const perRound = STORE_MOMENTS_MAX / 16;
      for (let round = 0; round < rounds; round += 1) {
        const takes = [];
        for (let sent = 0; sent < perRound; sent += 1) {
          const nowMs = (round * perRound + sent) * 150;
          takes.push(store.redis.set(CLOCK_KEY, nowMs), limits.take('a'));
        }
        await Promise.all(takes);
      }
      const [key = ''] = await store.keys();
      const length = await store.redis.llen((await store.redis.keys(`*${key}`))[0] ?? '');
      expect(length).toBeGreaterThan(STORE_MOMENTS_MAX / 4);
      expect(length).toBeLessThanOrEqual(STORE_MOMENTS_MAX + 2);
      // All of the last hour count, and those of the part before it at most.
      const inHour = 3_600_000 / 150;
      const used = 1_000_000 - ((await limits.take('a'))[0]?.remaining ?? 0) - 1;
      expect(used).toBe(Math.min(rounds * perRound, inHour));
      await store.redis.del(CLOCK_KEY);
    },
  );
});

function limitsOf(
  store: TestStore,
  windows: readonly LimitWindow[],
  isSliding: boolean,
  instanceId: string,
): RedisLimits {
  return new RedisLimits({ windows, isSliding, store, instanceId, clock: HAND_CLOCK });
}
