import { randomUUID } from 'node:crypto';
import { eventually } from '@portcullis/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handClock } from '../routing/routing.test-support.ts';
import { handClockLua, LimitsModel, policyOf, requestOf, testStore, type TestStore } from './limits.test-support.ts';
import type { Admission, Admitted } from './limits.ts';
import { createLocalLimits } from './local-limits.ts';
import { MOMENTS_PER_WINDOW_MAX } from './rolling-window.ts';
import { createSharedLimits, type SharedLimitsOptions } from './shared-limits.ts';
import { MODELS_PER_SUBJECT_MAX } from './subject-usage.ts';

const REDIS_URL = process.env['PORTCULLIS_TEST_REDIS_URL'];
const CLOCK_KEY = `test:ai-clock:${process.pid}:${randomUUID()}`;

const limitsOf = (store: TestStore, options: Partial<SharedLimitsOptions> = {}) =>
  createSharedLimits({ store, prefix: store.prefix, newId: randomUUID, ...options });
const clockLua = handClockLua(CLOCK_KEY);
const setClock = (store: TestStore, nowMs: number) => store.redis.set(CLOCK_KEY, nowMs, 'EX', 600);

/** Admitted ones of many. */
function admittedOf(admissions: readonly Admission[]): readonly Admitted[] {
  return admissions.filter((admission) => admission.ok);
}

describe.skipIf(REDIS_URL === undefined)('limits in Redis (PORTCULLIS_TEST_REDIS_URL)', () => {
  const open = (): TestStore => testStore(REDIS_URL ?? '');

  it('several gateways at once never admit more than a budget and a rate allow', { timeout: 60_000 }, async () => {
    await using store = open();
    await using other = open();
    let round = 0;
    const plan = fc.record({
      tokenBudget: fc.integer({ min: 1, max: 300 }),
      rateLimit: fc.integer({ min: 0, max: 30 }),
      estimates: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ tokenBudget, rateLimit, estimates }) => {
        // The window is long, so that it ends in no run.
        const policy = policyOf({ id: `p${(round += 1)}`, tokenBudget, rateLimit, rateWindowMs: 31_536_000_000 });
        const gateways = [store, other, other].map((one) => limitsOf(one, { prefix: store.prefix }));
        const used = { tokens: 0, requests: 0 };
        for (const half of [estimates, estimates]) {
          const admissions = await Promise.all(
            half.map(async (estimate, index) => {
              const admission = await gateways[index % 3]?.admit(requestOf(policy, { estimate }));
              return { admission, estimate };
            }),
          );
          for (const { admission, estimate } of admissions) {
            if (admission?.ok !== true) continue;
            used.tokens += estimate;
            used.requests += 1;
            admission.settle(estimate);
          }
          expect(used.tokens).toBeLessThanOrEqual(tokenBudget);
          if (rateLimit > 0) expect(used.requests).toBeLessThanOrEqual(rateLimit);
          await Promise.all(gateways.map((one) => one.dispose()));
        }
        const isFull = used.requests === rateLimit || used.requests === 2 * estimates.length;
        // What was refused had no room.
        if (!isFull) expect(used.tokens + Math.max(...estimates)).toBeGreaterThan(tokenBudget);
      }),
      { numRuns: 40 },
    );
  });

  it('decide as the requirement says, by the store’s clock', { timeout: 60_000 }, async () => {
    await using store = open();
    let round = 0;
    const limits = fc.record({
      rateLimit: fc.integer({ min: 0, max: 4 }),
      rateWindowMs: fc.constantFrom(1000, 60_000),
      tokenBudget: fc.integer({ min: 0, max: 60 }),
      tokenBudgetWindowMs: fc.constantFrom(0, 10_000),
    });
    const step = fc.record({
      waitMs: fc.constantFrom(0, 0, 1, 500, 1000, 20_000, 60_000),
      model: fc.constantFrom('a', '__proto__'),
      estimate: fc.integer({ min: 0, max: 30 }),
      ends: fc.nat(20),
    });
    await fc.assert(
      fc.asyncProperty(limits, fc.array(step, { maxLength: 25 }), async (given, steps) => {
        const policy = policyOf({ id: `m${(round += 1)}`, ...given });
        const shared = limitsOf(store, { clockLua });
        const model = new LimitsModel(policy);
        const under: { admitted: Admitted; known: Exclude<ReturnType<LimitsModel['admit']>, string> }[] = [];
        let nowMs = 1_000_000;
        for (const { waitMs, model: name, estimate, ends } of steps) {
          nowMs += waitMs;
          await setClock(store, nowMs);
          const ending = under.splice(ends, 1)[0];
          if (ending !== undefined) {
            ending.admitted.settle(ends);
            model.end(ending.known, ends, nowMs);
            await shared.dispose();
          }
          const expected = model.admit(name, estimate, nowMs);
          const admission = await shared.admit(requestOf(policy, { model: name, estimate }));
          if (typeof expected === 'string') expect(admission).toMatchObject({ ok: false, reason: expected });
          else {
            expect(admission.ok).toBe(true);
            if (admission.ok) under.push({ admitted: admission, known: expected });
          }
          if (given.tokenBudget > 0) {
            const left = Math.max(0, given.tokenBudget - model.used - model.reserved);
            expect(admission.headers.tokens?.remaining).toBe(left);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('say the same as limits in memory', async () => {
    await using store = open();
    const clock = handClock(1_000_000);
    const [shared, local] = [limitsOf(store, { clockLua }), createLocalLimits({ clock })];
    const policy = policyOf({ rateLimit: 2, rateWindowMs: 10_000, tokenBudget: 20, tokenBudgetWindowMs: 60_000 });
    for (const [waitMs, estimate] of [
      [0, 5],
      [2000, 30],
      [10, 15],
      [5, 1],
      [9000, 1],
      [60_000, 20],
    ] as const) {
      clock.ms += waitMs;
      await setClock(store, clock.ms);
      const request = requestOf(policy, { estimate });
      const expected = JSON.stringify(local.admit(request));
      expect(JSON.stringify(await shared.admit(request))).toBe(expected);
    }
  });

  it('say the same as limits in memory when a limit was lowered far below what is used', async () => {
    await using store = open();
    const clock = handClock(1_000_000);
    const [shared, local] = [limitsOf(store, { clockLua }), createLocalLimits({ clock })];
    for (let sent = 0; sent < 40; sent += 1) {
      clock.ms += sent % 3 === 0 ? 0 : 7 * sent;
      await setClock(store, clock.ms);
      const request = requestOf(policyOf({ rateLimit: sent < 30 ? 30 : 39 - sent }));
      if (request.policy.rateLimit === 0) continue;
      const expected = JSON.stringify(local.admit(request));
      expect(JSON.stringify(await shared.admit(request))).toBe(expected);
    }
  });

  it('what a gateway that died held back comes free with its lease, and late ends are charged', async () => {
    await using store = open();
    await setClock(store, 1_000_000);
    const policy = policyOf({ tokenBudget: 100 });
    const limits = limitsOf(store, { clockLua, leaseMs: 60_000 });
    const admit = (estimate: number) => limits.admit(requestOf(policy, { estimate }));
    const slow = await admit(70);
    expect((await admit(70)).ok).toBe(false);
    await setClock(store, 1_059_999);
    expect((await admit(70)).ok).toBe(false);
    await setClock(store, 1_060_000);
    const second = await admit(70);
    expect(second.ok).toBe(true);
    if (slow.ok) slow.settle(25);
    await limits.dispose();
    if (second.ok) second.release();
    await limits.dispose();
    expect((await admit(75)).headers.tokens?.remaining).toBe(0);
  });

  it('are settled once, also when the answer was lost and it is sent again', async () => {
    await using store = open();
    let failures = 2;
    const forgetful: TestStore = {
      ...store,
      run: async (script, keys, args, call) => {
        const answer = await store.run(script, keys, args, call);
        if (script.name === 'ai_settle' && (failures -= 1) >= 0) throw new Error('lost');
        return answer;
      },
    };
    const timers = { set: (callback: () => void) => setImmediate(callback), clear: () => undefined };
    const limits = limitsOf(forgetful, { timers });
    const policy = policyOf({ tokenBudget: 100 });
    const first = await limits.admit(requestOf(policy, { estimate: 50 }));
    if (first.ok) first.settle(30);
    await eventually(() => expect(failures).toBeLessThan(0));
    await limits.dispose();
    const next = await limits.admit(requestOf(policy, { estimate: 0 }));
    expect(next.headers.tokens?.remaining).toBe(70);
  });

  it('leave no key that has no end, and bounded ones whatever is asked for', { timeout: 60_000 }, async () => {
    await using store = open();
    const limits = limitsOf(store);
    const policy = policyOf({ rateLimit: 100_000, tokenBudget: 1e9 });
    const names = Array.from(
      { length: 3 * MODELS_PER_SUBJECT_MAX },
      (_, index) => `invented ${index} ${'x'.repeat(500)}`,
    );
    const requests = names.map(async (model) => limits.admit(requestOf(policy, { model, estimate: 5 })));
    const admissions = admittedOf(await Promise.all(requests));
    expect(admissions).toHaveLength(names.length);
    const keys = await store.keys();
    expect(keys.length).toBeLessThanOrEqual(MODELS_PER_SUBJECT_MAX + 4);
    expect(Math.max(...keys.map((key) => key.length))).toBeLessThan(250);
    const ends = await Promise.all(keys.map((key) => store.redis.pttl(key)));
    expect(ends.every((endMs) => endMs > 0)).toBe(true);
    await Promise.all(
      Array.from({ length: 2 * MOMENTS_PER_WINDOW_MAX }, async () =>
        limits.admit(requestOf(policy, { model: 'm', subject: 'many' })),
      ),
    );
    const lists = (await store.keys()).filter((key) => key.includes(':many:') && key.includes(':model'));
    const lengths = await Promise.all(
      lists.filter((key) => !key.endsWith('models')).map((key) => store.redis.llen(key)),
    );
    expect(Math.max(...lengths)).toBeLessThanOrEqual(2 * MOMENTS_PER_WINDOW_MAX + 1);
  });
});

describe('when the store fails', () => {
  const down = {
    run: (): Promise<never> => Promise.reject(Object.assign(new Error('no connection'), { code: 'unavailable' })),
  };
  const request = requestOf(policyOf({ rateLimit: 1, tokenBudget: 10 }), { estimate: 5 });

  it('requests fail with its error', async () => {
    const limits = createSharedLimits({ store: down, prefix: 'x', newId: () => '1' });
    await expect(limits.admit(request)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('or are counted in the process, where that is wanted', async () => {
    const local = createLocalLimits({ clock: handClock() });
    const limits = createSharedLimits({ store: down, prefix: 'x', newId: () => '1', local });
    expect([(await limits.admit(request)).ok, (await limits.admit(request)).ok]).toEqual([true, false]);
  });

  it('what has no limit asks nobody', async () => {
    const limits = createSharedLimits({ store: down, prefix: 'x', newId: () => '1' });
    const admission = await limits.admit(requestOf(policyOf({}), { estimate: 5 }));
    expect(admission).toMatchObject({ ok: true, headers: {} });
  });

  it('what was used is told again, and lost in the end', async () => {
    let tries = 0;
    const store = {
      run: (script: { readonly name: string }): Promise<unknown> => {
        if (script.name === 'ai_admit') return Promise.resolve([0, 0, 0, 0, 5, -1, 99]);
        tries += 1;
        return down.run();
      },
    };
    let lost = 0;
    const timers = { set: (callback: () => void) => setImmediate(callback), clear: () => undefined };
    const onSettlementLost = (): void => void (lost += 1);
    const limits = createSharedLimits({ store, prefix: 'x', newId: () => '1', timers, onSettlementLost });
    const admission = await limits.admit(request);
    if (admission.ok) admission.settle(5);
    await eventually(() => expect(lost).toBe(1));
    expect(tries).toBe(7);
  });
});
