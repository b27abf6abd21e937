import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endpoint, planOf, setUsable, targetOf } from './balancing.test-support.ts';
import { Roster, type RankedShare } from './roster.ts';
import type { Algorithm, UpstreamPlan } from './upstream-plan.ts';

const algorithms: readonly Algorithm[] = ['round-robin', 'least-connections', 'consistent-hashing', 'latency'];

interface Given {
  readonly weight: number;
  readonly priority: number;
  readonly usable: boolean;
  readonly tried: boolean;
}

const given = fc.record({
  weight: fc.integer({ min: 1, max: 5 }),
  priority: fc.integer({ min: -1, max: 1 }),
  usable: fc.boolean(),
  tried: fc.boolean(),
});

function build(list: readonly Given[], plan: Partial<UpstreamPlan>): { roster: Roster; shares: RankedShare[] } {
  const shares = list.map(({ weight, priority, usable }, index) => {
    const one = endpoint(`10.0.0.${index}`);
    setUsable(one, usable);
    return { endpoint: one, weight, priority };
  });
  const targets = list.map(({ weight }, index) => targetOf(`10.0.0.${index}`, { weight }));
  return { roster: new Roster(shares, planOf({ targets, ...plan }), () => 0.5), shares };
}

describe.each(algorithms)('tiers with %s', (algorithm) => {
  it('give an endpoint of the best tier that has one that can be used', () => {
    fc.assert(
      fc.property(fc.array(given, { minLength: 1, maxLength: 8 }), fc.integer(), (list, hash) => {
        const { roster, shares } = build(list, { algorithm });
        const usable = shares.filter((share) => share.endpoint.health.usable);
        const best = Math.max(...usable.map(({ priority }) => priority));
        for (let turn = 0; turn < 4; turn += 1) {
          const chosen = roster.choose(hash >>> 0, 0, undefined, true);
          const share = shares.find((one) => one.endpoint === chosen);
          expect(share?.endpoint.health.usable).toBe(usable.length === 0 ? undefined : true);
          if (usable.length > 0) expect(share?.priority).toBe(best);
        }
      }),
    );
  });

  it('prefer what was not tried, leave a tier only when no connection could be made, and take what was tried at last', () => {
    fc.assert(
      fc.property(fc.array(given, { minLength: 2, maxLength: 8 }), fc.boolean(), (list, leavesTier) => {
        const { roster, shares } = build(list, { algorithm });
        const usable = shares.filter((share) => share.endpoint.health.usable);
        const tried = shares.filter((_, index) => list[index]?.tried === true).map((share) => share.endpoint);
        const picked = roster.choose(7, 0, tried, leavesTier);
        const chosen = shares.find((share) => share.endpoint === picked);
        const best = Math.max(...usable.map(({ priority }) => priority));
        const untried = usable.filter((share) => !tried.includes(share.endpoint));
        const bestUntried = Math.max(...untried.map(({ priority }) => priority));
        if (usable.length === 0) expect(chosen).toBeUndefined();
        else if (untried.length === 0 || !leavesTier) expect(chosen?.priority).toBe(best);
        else expect(chosen?.priority).toBe(bestUntried);
        if (chosen !== undefined && tried.includes(chosen.endpoint)) {
          expect(roster.hasUntried(tried, leavesTier)).toBe(false);
        } else if (chosen !== undefined) expect(roster.hasUntried(tried, leavesTier)).toBe(true);
      }),
    );
  });

  it('prefer who could be connected to, and never refuse for that', () => {
    const { roster, shares } = build(
      [0, 1, 2].map(() => ({ weight: 1, priority: 0, usable: true, tried: false })),
      { algorithm },
    );
    const [first, second, third] = shares.map((share) => share.endpoint);
    first?.rest(0);
    second?.rest(0);
    for (let turn = 0; turn < 5; turn += 1) expect(roster.choose(turn, 1, undefined, true)).toBe(third);
    third?.rest(0);
    expect(roster.choose(1, 1, undefined, true)).toBeDefined();
  });
});

describe('the threshold', () => {
  it('refuses exactly when less than its percentage of the weight can be used', () => {
    fc.assert(
      fc.property(
        fc.array(given, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 100 }),
        (list, threshold) => {
          const healthchecks = { threshold };
          const { roster } = build(list, { healthchecks });
          const sum = (some: readonly Given[]): number => some.reduce((total, { weight }) => total + weight, 0);
          const usable = sum(list.filter((one) => one.usable));
          const served = roster.choose(undefined, 0, undefined, true) !== undefined;
          expect(served).toBe(usable > 0 && usable * 100 >= threshold * sum(list));
          if (!served) expect(roster.refusal()).toBe(usable > 0 || threshold > 0 ? 'below_threshold' : 'unusable');
        },
      ),
    );
  });

  it('counts targets without an address, and not those that drain', () => {
    const share = { endpoint: endpoint('10.0.0.1'), weight: 100, priority: 0 };
    const rosterOf = (weight: number): Roster =>
      new Roster(
        [share],
        planOf({ healthchecks: { threshold: 60 }, targets: [targetOf('10.0.0.1'), targetOf('lost.test', { weight })] }),
        () => 0,
      );
    expect(rosterOf(100).choose(undefined, 0, undefined, true)).toBeUndefined();
    expect(rosterOf(0).choose(undefined, 0, undefined, true)).toBe(share.endpoint);
  });
});

describe('refusals', () => {
  it('say why', () => {
    const empty = (weight: number): Roster =>
      new Roster([], planOf({ targets: [targetOf('a.test', { weight })] }), () => 0);
    expect([empty(0).refusal(), empty(1).refusal()]).toEqual(['no_target', 'unresolved']);
    expect(build([{ weight: 1, priority: 0, usable: false, tried: false }], {}).roster.refusal()).toBe('unusable');
  });
});
