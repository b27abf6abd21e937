import { describe, expect, it } from 'vitest';
import { FAILURES_MAX, FailureBudget, NETWORKS_MAX, SITE_FAILURES_MAX } from './failure-budget.ts';

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

  it('is shared by the networks of a /48 of IPv6, and by no others', () => {
    const budget = new FailureBudget();
    for (let taken = 0; taken < SITE_FAILURES_MAX; taken += 1) {
      expect(budget.take(`2001:db8:1:${taken.toString(16)}::/64`, 0)).toBe(true);
    }
    expect(budget.take('2001:db8:1:ffff::/64', 0)).toBe(false);
    expect(['2001:db8:2:0::/64', '192.0.2.1'].map((network) => budget.take(network, 0))).toEqual([true, true]);
    budget.giveBack('2001:db8:1:0::/64');
    expect(budget.take('2001:db8:1:ffff::/64', 0)).toBe(true);
    expect(budget.take('2001:db8:1:ffff::/64', 1000)).toBe(true);
  });

  it('grows no further than it was', () => {
    const budget = new FailureBudget();
    for (const nowMs of [0, 3_600_000]) {
      for (let taken = 0; taken < FAILURES_MAX; taken += 1) expect(budget.take('n', nowMs)).toBe(true);
      expect(budget.take('n', nowMs)).toBe(false);
    }
  });
});
