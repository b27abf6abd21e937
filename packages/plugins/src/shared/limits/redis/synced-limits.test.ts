import { SharedStoreError } from '@portcullis/plugin-runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testStore, type TestStore } from '../../../testing/redis-store.ts';
import { LimitWindow } from '../limit-window.ts';
import { Fleet, SKEW_MS, STEP_MS, type FleetOptions } from '../../../testing/fleet.ts';

const REDIS_URL = process.env['PORTCULLIS_TEST_REDIS_URL'];
const HOUR_MS = 3_600_000;
const EVERY_MS = 1000;
/** Of a window in which the interval is what it is told to be. */
const SHORT_MS = 8 * EVERY_MS;

const step = fc.record({
  by: fc.nat({ max: 2 }),
  takes: fc.integer({ min: 1, max: 4 }),
  waitMs: fc.constantFrom(0, 0, 0, 100, 300, 900, 1300, 2600, 5000),
});
const steps = fc.array(step, { minLength: 5, maxLength: 30 });

describe.skipIf(REDIS_URL === undefined)('limits that are shared now and then (PORTCULLIS_TEST_REDIS_URL)', () => {
  describe.each(['fixed', 'sliding'] as const)('strategy %s', (strategy) => {
    const isSliding = strategy === 'sliding';

    it(
      'keeps the bound: what passed anywhere 2.25 intervals ago is known to all, and nobody is refused too early',
      { timeout: 120_000 },
      async () => {
        await using store = testStore(REDIS_URL);
        const lengths = fc.constantFrom(SHORT_MS, HOUR_MS);
        const plan = fc.asyncProperty(steps, fc.integer({ min: 1, max: 8 }), lengths, async (list, limit, lengthMs) => {
          const fleet = fleetOf(store, { isSliding }, limit, lengthMs);
          const knownAfterMs = 2.25 * EVERY_MS + 2 * STEP_MS;
          const passed: { readonly atMs: number; readonly by: number }[] = [];
          for (const { by, takes, waitMs } of list) {
            await fleet.advance(waitMs);
            const now = fleet.clock.nowMs();
            const counts = (atMs: number, lateMs: number): boolean =>
              isSliding ? atMs > now - lengthMs - lateMs : placeOf(atMs, lengthMs) === placeOf(now, lengthMs);
            for (let sent = 0; sent < takes; sent += 1) {
              if ((await fleet.passes(by)) === true) {
                const known = passed.filter(
                  (one) => counts(one.atMs, 0) && (one.by === by || one.atMs < now - knownAfterMs),
                );
                expect(known.length).toBeLessThan(limit);
                passed.push({ atMs: now, by });
              } else {
                // `sliding` gives room back as late as a request may be told.
                const all = passed.filter(({ atMs }) => counts(atMs, EVERY_MS + 2 * STEP_MS));
                expect(all.length).toBeGreaterThanOrEqual(limit);
              }
            }
          }
          await fleet.end();
        });
        await fc.assert(plan, { numRuns: 40 });
      },
    );

    it('refuses at a process that never saw the client, once the others were told', async () => {
      await using store = testStore(REDIS_URL);
      const fleet = fleetOf(store, { isSliding }, 10, HOUR_MS);
      for (let sent = 0; sent < 10; sent += 1) expect(await fleet.passes(0)).toBe(true);
      await fleet.advance(EVERY_MS + STEP_MS);
      expect([await fleet.passes(1), await fleet.passes(2), await fleet.passes(0)]).toEqual([false, false, false]);
      await fleet.end();
    });

    it('asks once for all first requests of a client, and lets no more of them pass than the limit', async () => {
      await using store = testStore(REDIS_URL);
      const fleet = fleetOf(store, { isSliding }, 10, HOUR_MS);
      const passed = await Promise.all(Array.from({ length: 50 }, () => fleet.passes(0)));
      expect(passed.filter((one) => one === true)).toHaveLength(10);
      // The question, and the telling before the first refusal.
      expect(fleet.calls).toBe(2);
      await fleet.end();
    });

    it('says truly how long to wait', async () => {
      await using store = testStore(REDIS_URL);
      const fleet = fleetOf(store, { isSliding }, 2, SHORT_MS);
      await fleet.passes(0);
      await fleet.passes(1);
      for (const by of [0, 1, 2]) await fleet.standings(by);
      await fleet.advance(EVERY_MS + STEP_MS);
      const [refused] = await fleet.standings(0);
      expect(refused).toMatchObject({ isExceeded: true, remaining: 0 });
      await fleet.advance((refused?.resetSeconds ?? 0) * 1000);
      expect(await fleet.passes(0)).toBe(true);
      await fleet.end();
    });

    it('counts once what was told in a call of which no answer came, and goes on by itself', async () => {
      await using store = testStore(REDIS_URL);
      const fleet = fleetOf(store, { isSliding, everyMs: HOUR_MS }, 10, 100 * HOUR_MS);
      await fleet.passes(0);
      await fleet.passes(0);
      fleet.fault = async (run) => {
        await run();
        throw new SharedStoreError('timeout', 'the answer is lost');
      };
      await fleet.advance(STEP_MS);
      for (let sent = 2; sent < 10; sent += 1) expect(await fleet.passes(0)).toBe(true);
      // Used up: it tells, and hears nothing. One failure is no outage for who is known, and one for who is not.
      expect([await fleet.passes(0), await fleet.passes(0, 'b')]).toEqual([false, 'unavailable']);
      await fleet.advance(300);
      expect([fleet.processes[0]?.isInTouch, await fleet.passes(0)]).toEqual([false, 'unavailable']);
      fleet.fault = undefined;
      // Tried again within seconds, not with the next interval.
      await fleet.advance(600);
      expect(fleet.processes[0]?.isInTouch).toBe(true);
      expect((await fleet.standings(1))[0]).toMatchObject({ isExceeded: true, remaining: 0 });
      expect(await totalOf(fleet)).toBe(10);
      await fleet.end();
    });

    it('tells the rest when it stops', async () => {
      await using store = testStore(REDIS_URL);
      const fleet = fleetOf(store, { isSliding, everyMs: HOUR_MS }, 10, 100 * HOUR_MS);
      for (let client = 0; client < 200; client += 1) await fleet.passes(0, `c${client}`);
      await fleet.passes(0, 'a');
      await fleet.processes[0]?.stop();
      expect(fleet.clock.pendingTimers).toBe(0);
      expect([await totalOf(fleet, 'a'), await totalOf(fleet, 'c0'), await totalOf(fleet, 'c199')]).toEqual([1, 1, 1]);
      await fleet.end();
    });

    it('leaves nothing behind when it stops while the store is away', async () => {
      await using store = testStore(REDIS_URL);
      const fleet = fleetOf(store, { isSliding }, 10, HOUR_MS);
      for (const client of ['a', 'b']) await fleet.passes(0, client);
      fleet.fault = () => Promise.reject(new SharedStoreError('unavailable', 'gone'));
      await fleet.advance(EVERY_MS + STEP_MS);
      await fleet.processes[0]?.stop();
      expect(fleet.clock.pendingTimers).toBe(0);
      await fleet.end();
    });

    it('forgets clients when there are too many, but not what they used', async () => {
      await using store = testStore(REDIS_URL);
      const fleet = fleetOf(store, { isSliding, countersMax: 16 }, 1, HOUR_MS);
      for (const expected of [true, false]) {
        for (let client = 0; client < 60; client += 1) expect(await fleet.passes(0, `c${client}`)).toBe(expected);
        expect(fleet.processes[0]?.size).toBeLessThanOrEqual(16);
      }
      await fleet.end();
    });
  });
});

/** What Redis has counted, as a process sees it that knew nothing. */
async function totalOf(fleet: Fleet, client = 'a'): Promise<number> {
  const [standing] = await fleet.standings(2, client);
  return 10 - (standing?.remaining ?? 0) - (standing?.isExceeded === true ? 0 : 1);
}

function fleetOf(store: TestStore, options: Partial<FleetOptions>, limit: number, lengthMs: number): Fleet {
  const windows = () => [new LimitWindow('default', 'Hour', limit, lengthMs)];
  return new Fleet(store, { windows, isSliding: false, everyMs: EVERY_MS, ...options });
}

function placeOf(atMs: number, lengthMs: number): number {
  return Math.floor((atMs + SKEW_MS) / lengthMs);
}
