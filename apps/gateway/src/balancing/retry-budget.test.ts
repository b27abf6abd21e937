import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { budgetFloor, budgetShare, budgetWindowMs, RetryBudget } from './retry-budget.ts';

describe('a budget of retries', () => {
  it('is never above its share of the requests of the window, and the floor', () => {
    const step = fc.record({ afterMs: fc.nat(1500), requests: fc.nat(200), asks: fc.nat(200) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const budget = new RetryBudget();
        const requests: number[] = [];
        const retries: number[] = [];
        let nowMs = 5;
        for (const { afterMs, requests: count, asks } of steps) {
          nowMs += afterMs;
          for (let index = 0; index < count; index += 1) {
            budget.deposit(nowMs);
            requests.push(nowMs);
          }
          for (let index = 0; index < asks; index += 1) if (budget.withdraw(nowMs)) retries.push(nowMs);
          // Seconds are counted whole: the window is between one second shorter and its full length.
          const within = (times: readonly number[], ms: number): number => times.filter((at) => at > nowMs - ms).length;
          expect(within(retries, budgetWindowMs - 1000)).toBeLessThanOrEqual(
            budgetFloor + budgetShare * within(requests, budgetWindowMs),
          );
        }
        expect(budget.sent).toBe(retries.length);
      }),
    );
  });

  it('grows with requests, and is whole again after the window', () => {
    const budget = new RetryBudget();
    const drain = (nowMs: number): number => {
      let count = 0;
      while (budget.withdraw(nowMs)) count += 1;
      return count;
    };
    expect(drain(0)).toBe(budgetFloor);
    for (let index = 0; index < 100; index += 1) budget.deposit(500);
    expect(drain(500)).toBe(100 * budgetShare);
    expect(drain(budgetWindowMs + 1000)).toBe(budgetFloor);
    expect(budget.refused).toBe(3);
  });
});
