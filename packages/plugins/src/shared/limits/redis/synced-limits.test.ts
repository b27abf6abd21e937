import { SharedStoreError, type SharedStore } from '@portcullis/plugin-runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testStore } from '../../../testing/redis-store.ts';
import { LimitWindow } from '../limit-window.ts';
import { SyncedLimits } from './synced-limits.ts';

const REDIS_URL = process.env['PORTCULLIS_TEST_REDIS_URL'];
const HOUR_MS = 3_600_000;
const PROCESSES = 3;

type Step = { readonly by: number; readonly does: 'take' | 'sync' };
const steps = fc.array(
  fc.record({
    by: fc.nat({ max: PROCESSES - 1 }),
    does: fc.constantFrom('take', 'take', 'take', 'sync'),
  }) as fc.Arbitrary<Step>,
  { minLength: 10, maxLength: 60 },
);

describe.skipIf(REDIS_URL === undefined)('limits that are shared now and then (PORTCULLIS_TEST_REDIS_URL)', () => {
  describe.each(['fixed', 'sliding'] as const)('strategy %s', (strategy) => {
    const isSliding = strategy === 'sliding';
    let instances = 0;

    it(
      'lets pass what each process may know of: its own, and what the others had told',
      { timeout: 60_000 },
      async () => {
        await using store = testStore(REDIS_URL);
        const plan = fc.asyncProperty(steps, fc.integer({ min: 1, max: 8 }), async (list, limit) => {
          const processes = processesOf(store, limit, isSliding, `i${(instances += 1)}`);
          const own = processes.map(() => 0);
          const told = processes.map(() => 0);
          const heard = processes.map(() => 0);
          const hasSeen = processes.map(() => false);
          // What one process let pass since it last told: by so much the limit may be passed by each of the others.
          let drift = 0;
          for (const { by, does } of list) {
            const [self = 0, known = 0] = [own[by], heard[by]];
            if (does === 'take') {
              const passes = processes[by]?.take('a', 0)[0]?.isExceeded === false;
              expect(passes).toBe(self + known < limit);
              if (passes) own[by] = self + 1;
              hasSeen[by] = true;
              if (passes) drift = Math.max(drift, sumOf(own) - self - known);
            } else {
              await processes[by]?.sync(() => 0);
              if (hasSeen[by] !== true) continue;
              hasSeen[by] = false;
              told[by] = self;
              heard[by] = sumOf(told) - self;
            }
          }
          expect(sumOf(own)).toBeLessThanOrEqual(limit + drift);
          expect(sumOf(own)).toBeLessThanOrEqual(limit * PROCESSES);
        });
        await fc.assert(plan, { numRuns: 100 });
      },
    );

    it('lets nothing pass any more once all have told and heard, and the limit is used', async () => {
      await using store = testStore(REDIS_URL);
      const processes = processesOf(store, 10, isSliding, 'all');
      let passed = 0;
      for (let round = 0; round < 8; round += 1) {
        for (const limits of processes) if (limits.take('a', 0)[0]?.isExceeded === false) passed += 1;
        // Twice: the first one to tell hears of the others only then.
        for (const limits of [...processes, ...processes]) {
          limits.take('b', 0);
          await limits.sync(() => 0);
        }
      }
      // 9 after three rounds, then the fourth: each sees 9 of 10.
      expect(passed).toBe(12);
    });

    it('has room again when the window is over, for all', async () => {
      await using store = testStore(REDIS_URL);
      const [one, other] = processesOf(store, 1, isSliding, 'again');
      one?.take('a', 0);
      await one?.sync(() => 0);
      expect(other?.take('a', 0)[0]?.isExceeded).toBe(false);
      await other?.sync(() => 0);
      for (const limits of [one, other]) {
        const [standing] = limits?.take('a', 1) ?? [];
        expect(standing?.isExceeded).toBe(true);
        const backMs = 1 + (standing?.resetSeconds ?? 0) * 1000;
        expect(backMs).toBeLessThanOrEqual(HOUR_MS + 1000);
        expect(limits?.take('a', backMs)[0]?.isExceeded).toBe(false);
      }
    });

    it('forgets clients of which nothing counts, in the process and in Redis', async () => {
      await using store = testStore(REDIS_URL);
      const [limits] = processesOf(store, 5, isSliding, 'gone');
      for (let client = 0; client < 200; client += 1) limits?.take(`c${client}`, 0);
      await limits?.sync(() => 0);
      const keys = await store.redis.keys('*:limits:gone:*');
      expect([limits?.size, keys.length]).toEqual([200, 200]);
      const ends = await Promise.all(keys.map((key) => store.redis.pttl(key)));
      expect(ends.every((endMs) => endMs > 0 && endMs <= HOUR_MS)).toBe(true);
      await limits?.sync(() => HOUR_MS);
      await limits?.sync(() => HOUR_MS);
      expect(limits?.size).toBe(0);
    });
  });

  it('tells what it could not tell once the store is back, and says that it is out of touch until then', async () => {
    await using store = testStore(REDIS_URL);
    let isDown = true;
    const down: SharedStore = {
      run: (...call) => (isDown ? Promise.reject(new SharedStoreError('unavailable', 'gone')) : store.run(...call)),
    };
    const [one] = processesOf(down, 3, false, 'back');
    const [other] = processesOf(store, 3, false, 'back');
    for (let sent = 0; sent < 3; sent += 1) one?.take('a', 0);
    await one?.sync(() => 0);
    expect(one?.isInTouch).toBe(false);
    isDown = false;
    await one?.sync(() => 0);
    expect(one?.isInTouch).toBe(true);
    other?.take('a', 0);
    await other?.sync(() => 0);
    expect(other?.take('a', 0)[0]).toMatchObject({ isExceeded: true, remaining: 0 });
  });
});

describe('limits that are shared now and then, with more clients than there is room for', () => {
  it('count newcomers together, and never forget who is counted', () => {
    let warnings = 0;
    const store: SharedStore = { run: () => Promise.reject(new SharedStoreError('unavailable', 'none')) };
    const windows = [new LimitWindow('default', 'Hour', 2, HOUR_MS)];
    const limits = new SyncedLimits({
      ...{ windows, isSliding: false, store, instanceId: 'i', processId: 'p', countersMax: 2 },
      onCrowded: () => (warnings += 1),
    });
    const passed = ['a', 'b', 'c', 'd', 'e', 'a', 'a'].map((client) => limits.take(client, 0)[0]?.isExceeded === false);
    expect(passed).toEqual([true, true, true, true, false, true, false]);
    expect([limits.size, warnings]).toEqual([2, 3]);
  });
});

function processesOf(
  store: SharedStore,
  limit: number,
  isSliding: boolean,
  instanceId: string,
): readonly SyncedLimits[] {
  return Array.from({ length: PROCESSES }, () => {
    const windows = [new LimitWindow('default', 'Hour', limit, HOUR_MS)];
    const onCrowded = (): void => undefined;
    return new SyncedLimits({ windows, isSliding, store, instanceId, processId: `p${(processIds += 1)}`, onCrowded });
  });
}

let processIds = 0;

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
