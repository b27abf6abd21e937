import { describe, expect, it } from 'vitest';
import { FAILURES_MAX, FailureBudget, NETWORKS_MAX } from './failure-budget.ts';

describe('the budget of failures', () => {
  it('is bounded in networks and forgets those that have all their tokens', () => {
    const budget = new FailureBudget();
    budget.take('n', 0);
    budget.giveBack('n');
    expect(budget.size).toBe(0);
    for (let network = 0; network <= NETWORKS_MAX; network += 1) budget.take(`${network}`, 0);
    expect(budget.size).toBe(NETWORKS_MAX);
    budget.giveBack('a network that nobody knows');
  });

  it('grows no further than it was', () => {
    const budget = new FailureBudget();
    for (const nowMs of [0, 3_600_000]) {
      for (let taken = 0; taken < FAILURES_MAX; taken += 1) expect(budget.take('n', nowMs)).toBe(true);
      expect(budget.take('n', nowMs)).toBe(false);
    }
  });
});
