import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventCounts } from './event-counts.ts';
import { evaluateObjective } from './evaluate-objective.ts';
import type { SloState } from './evaluation.ts';
import type { Decimal } from './arithmetic/rational.ts';
import type { SloDefinition } from './objective.ts';

const nowMs = Date.UTC(2026, 0, 31, 12, 0, 30);

function slo(target: Decimal, warning: Decimal = 1, critical: Decimal = 2): SloDefinition {
  return {
    objective: { type: 'availability', target_percent: target },
    evaluation_window_minutes: 60,
    alert_policy: { enabled: true, warning_burn_rate: warning, critical_burn_rate: critical },
    enabled: true,
  };
}

function judge(definition: SloDefinition, counts: EventCounts): SloState {
  return evaluateObjective(definition, counts, { nowMs }).state;
}

describe('evaluateObjective', () => {
  it('tells an evaluation', () => {
    const recent = { '5m': { total_events: 10, bad_events: 1 }, '1h': { total_events: 0, bad_events: 0 } };
    const observed = { firstMs: nowMs - 60_000, lastMs: nowMs };
    const context = { nowMs, source: 'counters', coveragePercent: 50, droppedLate: 3, recent, observed };
    expect(evaluateObjective(slo(99.9), { total_events: 10_000, bad_events: 15 }, context)).toEqual({
      state: 'warning',
      burn_rate: 1.5,
      total_events: 10_000,
      bad_events: 15,
      good_events: 9985,
      allowed_bad_events: 10,
      error_budget_remaining_percent: -50,
      window: { from: '2026-01-31T11:00:30.000Z', to: '2026-01-31T12:00:30.000Z' },
      observed: { first: '2026-01-31T11:59:30.000Z', last: '2026-01-31T12:00:30.000Z' },
      coverage_percent: 50,
      exact: true,
      source: 'counters',
      dropped_late: 3,
      burn_rates: { '5m': 100, '30m': null, '1h': null, '6h': null, '1d': null, '3d': null },
      evaluated_at: '2026-01-31T12:00:30.000Z',
    });
  });

  it('takes the form of the wire contract: a moment of any kind, and an SLO without what has a default', () => {
    const counts = { total_events: 1000, bad_events: 2 };
    const objective = { type: 'availability', target_percent: 99.9 } as const;
    const full = evaluateObjective({ ...slo(99.9), evaluation_window_minutes: 10_080 }, counts, { nowMs });
    expect(full).toMatchObject({ state: 'critical', burn_rate: 2, window: { from: '2026-01-24T12:00:30.000Z' } });
    for (const now of [nowMs, new Date(nowMs), '2026-01-31T12:00:30Z']) {
      expect(evaluateObjective({ objective }, counts, { now })).toEqual(full);
      expect(evaluateObjective({ objective, alert_policy: {} }, counts, { now })).toEqual(full);
    }
    for (const now of ['soon', Number.NaN, 1e20]) {
      expect(() => evaluateObjective({ objective }, counts, { now })).toThrow(/when it is made/);
    }
  });

  it('has no data without events, also when the objective or the alert is off', () => {
    const off = { ...slo(99), enabled: false };
    const silent = { ...slo(99), alert_policy: { ...slo(99).alert_policy, enabled: false } };
    for (const definition of [slo(99), off, silent]) {
      const evaluation = evaluateObjective(definition, { total_events: 0, bad_events: 0 }, { nowMs });
      expect(evaluation).toMatchObject({ state: 'no_data', burn_rate: null, error_budget_remaining_percent: null });
      expect(evaluation).toMatchObject({ allowed_bad_events: 0, observed: { first: null, last: null }, exact: true });
    }
    const burnt = { total_events: 10, bad_events: 10 };
    expect([slo(99), off, silent].map((definition) => judge(definition, burnt))).toEqual([
      'critical',
      'healthy',
      'healthy',
    ]);
    expect(evaluateObjective(off, burnt, { nowMs }).burn_rate).toBe(100);
  });

  it('tells how many events may be bad, and how much of that is left', () => {
    const evaluation = evaluateObjective(slo(99.5), { total_events: 1001, bad_events: 2 }, { nowMs });
    expect(evaluation.allowed_bad_events).toBe(5.005);
    expect(evaluation.error_budget_remaining_percent).toBe(300_500 / 5005);
  });

  it('is exact where binary numbers are not', () => {
    expect(1 / ((10_000 * (100 - 99.99)) / 100)).toBeLessThan(1);
    expect(judge(slo(99.99), { total_events: 10_000, bad_events: 1 })).toBe('warning');
    expect(judge(slo(99.99), { total_events: 10_001, bad_events: 1 })).toBe('healthy');
    expect(judge(slo(99.999_999), { total_events: 100_000_000, bad_events: 1 })).toBe('warning');
    expect(judge(slo(1e-7), { total_events: 10, bad_events: 10 })).toBe('warning');
    expect(judge(slo(0.1, 0.1, 0.3), { total_events: 10_000, bad_events: 2997 })).toBe('critical');
    expect(judge(slo('99.99', '1.0000000000000000001'), { total_events: 10_000, bad_events: 1 })).toBe('healthy');
  });

  it('decides 100,000 exact ties of warning and critical, and what is one event below them', () => {
    let seed = 1;
    const draw = (max: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * max);
    };
    let wrong = 0;
    for (let tie = 0; tie < 100_000; tie += 1) {
      // A target with up to six decimals, a rate with up to two, and so many events that the rate is met by a whole number.
      const places = 10 ** draw(7);
      const budget = 1 + draw(places);
      const target = decimalText(100 * places - budget, places);
      const rate = 1 + draw(300);
      const total = 10_000 * places * (1 + draw(50));
      const bad = rate * (total / 10_000 / places) * budget;
      const isCritical = tie % 2 === 0;
      const definition = isCritical
        ? slo(Number(target), decimalText(rate, 1000), decimalText(rate, 100))
        : slo(target, Number(decimalText(rate, 100)), rate);
      const at = judge(definition, { total_events: total, bad_events: bad });
      const below = judge(definition, { total_events: total, bad_events: bad - 1 });
      if (at !== (isCritical ? 'critical' : 'warning') || below !== (isCritical ? 'warning' : 'healthy')) wrong += 1;
    }
    expect(wrong).toBe(0);
  });

  it('takes the worst state that bounds allow, and tells them', () => {
    const counts = {
      total_events: 110,
      bad_events: 3,
      total_events_bounds: [100, 110],
      bad_events_bounds: [1, 3],
    } as const;
    const evaluation = evaluateObjective(slo(98, 1, 1.5), { ...counts, good_events_bounds: [99, 107] }, { nowMs });
    expect(evaluation).toMatchObject({ state: 'warning', exact: false, bad_events_bounds: [1, 3] });
    expect(evaluation.burn_rate_bounds).toEqual([100 / 108 / 2, 300 / 102 / 2]);
    expect(judge(slo(98, 1, 1.5), counts)).toBe('critical');
    const open = { total_events: 5, bad_events: 0, total_events_bounds: [0, 5] } as const;
    expect(judge(slo(98), open)).toBe('healthy');
    expect(judge(slo(98), { ...open, bad_events: 1, bad_events_bounds: [0, 1] })).toBe('critical');
  });

  it('the worst state is the worst of all pairs of bad and good events inside the bounds', () => {
    const severity: readonly SloState[] = ['no_data', 'healthy', 'warning', 'critical'];
    const small = fc.nat({ max: 6 });
    const rates = fc.constantFrom(0.5, 1, 2, 12.5);
    fc.assert(
      fc.property(small, small, small, small, rates, (bad, good, moreBad, moreGood, warning) => {
        const definition = slo(90, warning, warning * 2);
        let worst = 0;
        for (let b = bad; b <= bad + moreBad; b += 1) {
          for (let g = good; g <= good + moreGood; g += 1) {
            const state = judge(definition, { total_events: b + g, bad_events: b });
            worst = Math.max(worst, severity.indexOf(state));
          }
        }
        const [badMost, goodMost] = [bad + moreBad, good + moreGood];
        const state = judge(definition, {
          total_events: badMost + goodMost,
          bad_events: badMost,
          total_events_bounds: [bad + good, badMost + goodMost],
          bad_events_bounds: [bad, badMost],
          good_events_bounds: [good, goodMost],
        });
        expect(severity.indexOf(state)).toBe(worst);
      }),
      { numRuns: 500 },
    );
  });

  it('refuses counts that cannot be', () => {
    const cases: EventCounts[] = [
      { total_events: 1, bad_events: 2 },
      { total_events: 1.5, bad_events: 1 },
      { total_events: 2 ** 53, bad_events: 1 },
      { total_events: 1, bad_events: -1n },
      { total_events: 9, bad_events: 5, bad_events_bounds: [6, 7] },
    ];
    for (const counts of cases) expect(() => judge(slo(99), counts)).toThrow(RangeError);
    for (const target of [0, 100, -1, '100.0000001']) {
      expect(() => judge(slo(target), { total_events: 1, bad_events: 0 })).toThrow(RangeError);
    }
    expect(judge(slo(99), { total_events: 2n ** 80n, bad_events: 2n ** 79n })).toBe('critical');
  });
});

/** `digits / scale` as a decimal text; `scale` is a power of ten. */
function decimalText(digits: number, scale: number): string {
  const places = String(scale).length - 1;
  const text = String(digits).padStart(places + 1, '0');
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
}
