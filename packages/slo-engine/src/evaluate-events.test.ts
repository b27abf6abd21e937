import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evaluateEvents } from './evaluate-events.ts';

const nowMs = Date.UTC(2026, 1, 28, 23, 59, 59, 999);
const slo = {
  objective: { type: 'availability', target_percent: 99 },
  evaluation_window_minutes: 5,
  alert_policy: { enabled: true, warning_burn_rate: 1, critical_burn_rate: 2 },
  enabled: true,
} as const;

it('takes the events after the beginning of a window and until its end', () => {
  const ages = [-1, 0, 299_999, 300_000, 300_001, 1_800_000 - 1, 1_800_000];
  const evaluation = evaluateEvents(
    slo,
    ages.map((age) => ({ atMs: nowMs - age, status: age === 299_999 ? 500 : 200 })),
    { nowMs },
  );
  expect(evaluation).toMatchObject({
    state: 'critical',
    total_events: 2,
    bad_events: 1,
    exact: true,
    source: 'events',
  });
  expect(evaluation.observed).toEqual({ first: '2026-02-28T23:55:00.000Z', last: '2026-02-28T23:59:59.999Z' });
  expect(evaluation.burn_rates).toEqual({
    '5m': 50,
    '30m': 20,
    '1h': 100 / 6,
    '6h': 100 / 6,
    '1d': 100 / 6,
    '3d': 100 / 6,
  });
});

it('says the same in whatever order events come, and nothing without any', () => {
  const events = fc.array(
    fc.record({ atMs: fc.integer({ min: nowMs - 400_000, max: nowMs + 5 }), status: fc.constantFrom(200, 500, 600) }),
  );
  fc.assert(
    fc.property(events, (all) => {
      expect(evaluateEvents(slo, all.toReversed(), { nowMs })).toEqual(evaluateEvents(slo, all, { nowMs }));
    }),
  );
  expect(evaluateEvents(slo, [], { nowMs })).toMatchObject({
    state: 'no_data',
    burn_rate: null,
    observed: { first: null },
  });
});
