import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handClock } from '../routing/routing.test-support.ts';
import { LimitsModel, policyOf, requestOf, type LimitStep } from './limits.test-support.ts';
import type { Admitted } from './limits.ts';
import { createLocalLimits } from './local-limits.ts';
import { MODELS_PER_SUBJECT_MAX } from './subject-usage.ts';

const policy = fc
  .record({
    rateLimit: fc.integer({ min: 0, max: 4 }),
    rateWindowMs: fc.constantFrom(1000, 60_000),
    tokenBudget: fc.integer({ min: 0, max: 60 }),
    tokenBudgetWindowMs: fc.constantFrom(0, 10_000),
  })
  .map(policyOf);
const step: fc.Arbitrary<LimitStep> = fc.record({
  waitMs: fc.constantFrom(0, 0, 1, 500, 1000, 20_000, 60_000),
  model: fc.constantFrom('a', '__proto__'),
  estimate: fc.integer({ min: 0, max: 30 }),
  ends: fc.option(
    fc.record({ which: fc.nat(5), used: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }) }),
    {
      nil: undefined,
    },
  ),
});

describe('limits in memory', () => {
  it('decide as the requirement says, whatever comes in whatever order', () => {
    fc.assert(
      fc.property(policy, fc.array(step, { maxLength: 40 }), (limits, steps) => {
        const clock = handClock(1_000_000);
        const counted = createLocalLimits({ clock });
        const model = new LimitsModel(limits);
        const open: {
          readonly admitted: Admitted;
          readonly known: Exclude<ReturnType<LimitsModel['admit']>, string>;
        }[] = [];
        for (const { waitMs, model: name, estimate, ends } of steps) {
          clock.ms += waitMs;
          const [ending] = ends && open.length > 0 ? open.splice(ends.which % open.length, 1) : [];
          if (ending && ends) {
            if (ends.used === undefined) ending.admitted.release();
            else ending.admitted.settle(ends.used);
            // Once is enough, and more is nothing.
            ending.admitted.settle(1000);
            model.end(ending.known, ends.used ?? 0, clock.ms);
          }
          const expected = model.admit(name, estimate, clock.ms);
          const admission = counted.admit(requestOf(limits, { model: name, estimate }));
          if (typeof expected === 'string') {
            expect(admission).toMatchObject({ ok: false, reason: expected });
          } else {
            expect(admission.ok).toBe(true);
            if (admission.ok) open.push({ admitted: admission, known: expected });
          }
          if (limits.tokenBudget > 0) {
            const left = Math.max(0, limits.tokenBudget - model.used - model.reserved);
            expect(admission.headers.tokens?.remaining).toBe(left);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are never overspent: what was used when requests use what they estimated, and what is held back', () => {
    const plan = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.boolean(), fc.nat(9)), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), plan, (tokenBudget, steps) => {
        const limits = createLocalLimits({ clock: handClock() });
        const open: { admitted: Admitted; estimate: number }[] = [];
        let used = 0;
        for (const [estimate, ends, which] of steps) {
          const admission = limits.admit(requestOf(policyOf({ tokenBudget }), { estimate }));
          if (admission.ok) open.push({ admitted: admission, estimate });
          expect(used + open.reduce((sum, one) => sum + one.estimate, 0)).toBeLessThanOrEqual(tokenBudget);
          const [over] = ends ? open.splice(which % Math.max(1, open.length), 1) : [];
          over?.admitted.settle(over.estimate);
          used += over?.estimate ?? 0;
        }
      }),
    );
  });

  it('a request that one limit refuses is not counted by the other', () => {
    const limits = createLocalLimits({ clock: handClock() });
    const both = policyOf({ rateLimit: 1, tokenBudget: 10 });
    expect(limits.admit(requestOf(both, { estimate: 11 }))).toMatchObject({ ok: false, reason: 'token_budget' });
    const first = limits.admit(requestOf(both, { estimate: 4 }));
    expect(first.headers).toMatchObject({ requests: { remaining: 0 }, tokens: { remaining: 6 } });
    expect(limits.admit(requestOf(both, { estimate: 1 }))).toMatchObject({ ok: false, reason: 'rate_limit' });
    const other = limits.admit(requestOf(both, { estimate: 6, model: 'other' }));
    expect(other.ok).toBe(true);
  });

  it('say when there is room again, or that waiting does not help', () => {
    const clock = handClock(120_500);
    const limits = createLocalLimits({ clock });
    const rate = policyOf({ rateLimit: 2, rateWindowMs: 10_000 });
    limits.admit(requestOf(rate));
    clock.ms += 3000;
    limits.admit(requestOf(rate));
    const headers = { requests: { limit: 2, remaining: 0, resetMs: 10_000 } };
    expect(limits.admit(requestOf(rate))).toEqual({ ok: false, reason: 'rate_limit', retryAfterMs: 7000, headers });
    const windowed = policyOf({ id: 'w', tokenBudget: 10, tokenBudgetWindowMs: 60_000 });
    limits.admit(requestOf(windowed, { estimate: 8 }));
    expect(limits.admit(requestOf(windowed, { estimate: 8 }))).toMatchObject({ retryAfterMs: 56_500 });
    for (const hopeless of [
      requestOf(windowed, { estimate: 11 }),
      requestOf(policyOf({ id: 'x', tokenBudget: 1 }), { estimate: 2 }),
    ]) {
      expect(limits.admit(hopeless)).not.toHaveProperty('retryAfterMs');
    }
  });

  it('what is charged above the estimate refuses the next; odd figures count as nothing or as much as there is', () => {
    const limits = createLocalLimits({ clock: handClock() });
    const budget = policyOf({ tokenBudget: 10 });
    const settle = (used: number): void => {
      const admission = limits.admit(requestOf(budget, { estimate: 0 }));
      if (admission.ok) admission.settle(used);
    };
    for (const odd of [Number.NaN, -5, -Infinity]) settle(odd);
    expect(limits.admit(requestOf(budget, { estimate: 10 })).ok).toBe(true);
    settle(5000);
    expect(limits.admit(requestOf(budget)).ok).toBe(false);
  });

  it('tenants, policies and subjects are apart', () => {
    const limits = createLocalLimits({ clock: handClock() });
    const one = policyOf({ rateLimit: 1 });
    const requests = [
      requestOf(one),
      requestOf(one, { tenantId: 'u' }),
      requestOf(one, { subject: 'x' }),
      requestOf(one, { model: 'x' }),
      requestOf({ ...one, id: 'q' }),
    ];
    expect(requests.map((request) => limits.admit(request).ok)).toEqual(requests.map(() => true));
    expect(requests.map((request) => limits.admit(request).ok)).toEqual(requests.map(() => false));
  });

  it('invented names of models share one count, and no model has its limit twice', () => {
    const clock = handClock();
    const limits = createLocalLimits({ clock });
    const one = policyOf({ rateLimit: 2 });
    const admitted = (model: string): boolean => limits.admit(requestOf(one, { model })).ok;
    for (let index = 0; index < MODELS_PER_SUBJECT_MAX; index += 1) expect(admitted(`m${index}`)).toBe(true);
    expect([admitted('x'), admitted('y'), admitted('z'), admitted('x')]).toEqual([true, true, false, false]);
    clock.ms += 60_000;
    expect([admitted('x'), admitted('x'), admitted('x'), admitted('z')]).toEqual([true, true, false, true]);
  });

  it('subjects beyond the bound share one count of their tenant, until there is a place', () => {
    const clock = handClock();
    const limits = createLocalLimits({ clock, subjectsMax: 2 });
    const one = policyOf({ rateLimit: 1 });
    const admitted = (subject: string, tenantId = 't'): boolean =>
      limits.admit(requestOf(one, { subject, tenantId })).ok;
    expect([admitted('a'), admitted('b'), admitted('c'), admitted('d')]).toEqual([true, true, true, false]);
    expect([admitted('c', 'u'), admitted('d', 'u')]).toEqual([true, false]);
    clock.ms += 60_000;
    expect([admitted('c'), admitted('d'), admitted('c')]).toEqual([true, true, false]);
  });
});
