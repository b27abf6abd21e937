import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateObjective } from '../evaluate-objective.ts';
import type { Evaluation, SloState } from '../evaluation.ts';
import { type AlertEvent, type AlertRecord, createdAlert, type TimelineEvent } from './alert.ts';
import { nextAlertState } from './next-alert-state.ts';

const states: readonly SloState[] = ['no_data', 'healthy', 'warning', 'critical'];
const at = (atMs: number): string => new Date(atMs).toISOString();

function evaluationOf(state: SloState, atMs: number): Evaluation {
  const slo = {
    objective: { type: 'availability', target_percent: 99 } as const,
    evaluation_window_minutes: 60,
    alert_policy: { enabled: true, warning_burn_rate: 1, critical_burn_rate: 2 },
    enabled: true,
  };
  const total = state === 'no_data' ? 0 : 100;
  return evaluateObjective(
    slo,
    { total_events: total, bad_events: Math.max(0, states.indexOf(state) - 1) },
    { nowMs: atMs },
  );
}

function evaluated(state: SloState, atMs: number, definitionVersion = 1): AlertEvent {
  return { type: 'evaluated', evaluation: evaluationOf(state, atMs), atMs, definitionVersion, by: 'ada' };
}

/** Applies events and keeps the timeline. Refusals change nothing. */
function run(events: readonly AlertEvent[]): { record: AlertRecord; timeline: TimelineEvent[]; refused: number } {
  const created = createdAlert('ada', 0);
  let { record } = created;
  let refused = 0;
  const timeline = [created.timelineEvent];
  for (const event of events) {
    const outcome = nextAlertState(record, event);
    if (!outcome.ok) {
      refused += 1;
      expect(outcome.code).toBe('invalid_state');
      expect(record.alert.state).not.toMatch(/warning|critical/);
      continue;
    }
    if (outcome.timelineEvent !== undefined) timeline.push(outcome.timelineEvent);
    if (!outcome.isApplied) expect(outcome.record).toBe(record);
    ({ record } = outcome);
  }
  return { record, timeline, refused };
}

describe('nextAlertState', () => {
  it('goes from critical over acknowledged to healthy', () => {
    const acknowledge: AlertEvent = { type: 'acknowledged', by: 'bob', note: 'on it', atMs: 3000 };
    const critical = [
      evaluated('healthy', 1000),
      evaluated('critical', 2000),
      acknowledge,
      evaluated('critical', 4000),
    ];
    const before = run(critical);
    expect(before.record.alert).toEqual({
      state: 'critical',
      since: at(2000),
      acknowledged: true,
      acknowledged_by: 'bob',
      acknowledged_at: at(3000),
      note: 'on it',
    });
    const after = run([...critical, evaluated('warning', 5000)]);
    expect(after.record.alert).toEqual({
      state: 'warning',
      since: at(5000),
      acknowledged: false,
      acknowledged_by: null,
      acknowledged_at: null,
      note: null,
    });
    expect(after.timeline.map(({ type, from_state: from, to_state: to, actor }) => [type, from, to, actor])).toEqual([
      ['created', null, 'no_data', 'ada'],
      ['transition', 'no_data', 'healthy', 'ada'],
      ['transition', 'healthy', 'critical', 'ada'],
      ['acknowledged', 'critical', 'critical', 'bob'],
      ['transition', 'critical', 'warning', 'ada'],
    ]);
    expect(after.timeline.at(-1)?.evaluation).toEqual(evaluationOf('warning', 5000));
  });

  it('drops evaluations that are older than what is stored, by definition first', () => {
    const stored = [evaluated('critical', 2000), evaluated('healthy', 1000)];
    expect(run(stored).record.alert.state).toBe('critical');
    expect(run([...stored, evaluated('healthy', 2000)]).record.alert.state).toBe('healthy');
    const updated: AlertEvent = { type: 'updated', by: 'ada', atMs: 2500, definitionVersion: 2 };
    expect(run([...stored, updated, evaluated('healthy', 9000)]).record.alert.state).toBe('critical');
    expect(run([...stored, updated, evaluated('healthy', 1500, 2)]).record.alert.state).toBe('critical');
    expect(run([...stored, updated, evaluated('healthy', 2500, 2)]).record.alert.state).toBe('healthy');
    expect(run([...stored, updated]).timeline.at(-1)).toMatchObject({ type: 'updated', from_state: 'critical' });
  });

  it('refuses to acknowledge what is healthy or has no data, and takes a second note', () => {
    const acknowledge = (note: string): AlertEvent => ({ type: 'acknowledged', by: 'bob', note, atMs: 9 });
    expect(run([acknowledge('a')]).refused).toBe(1);
    expect(run([evaluated('healthy', 1), acknowledge('a')]).refused).toBe(1);
    expect(run([evaluated('warning', 1), acknowledge('a'), acknowledge('b')]).record.alert.note).toBe('b');
  });

  it('is never acknowledged in healthy or no_data, loses no change and alternates, whatever comes in whatever order', () => {
    const moments = fc.nat({ max: 20 });
    const events: fc.Arbitrary<AlertEvent> = fc.oneof(
      fc
        .record({ state: fc.constantFrom(...states), atMs: moments, version: fc.integer({ min: 1, max: 3 }) })
        .map(({ state, atMs, version }) => evaluated(state, atMs, version)),
      moments.map((atMs) => ({ type: 'acknowledged', by: 'bob', note: null, atMs }) as const),
      fc
        .record({ atMs: moments, definitionVersion: fc.integer({ min: 1, max: 3 }) })
        .map((more) => ({ type: 'updated', by: 'ada', ...more }) as const),
    );
    fc.assert(
      fc.property(fc.array(events, { maxLength: 30 }), (all) => {
        for (let end = 0; end <= all.length; end += 1) {
          const { record, timeline } = run(all.slice(0, end));
          const { alert } = record;
          const isAlarm = alert.state === 'warning' || alert.state === 'critical';
          expect(alert.acknowledged && !isAlarm).toBe(false);
          expect([alert.acknowledged_by !== null, alert.acknowledged_at !== null]).toEqual([
            alert.acknowledged,
            alert.acknowledged,
          ]);
          const changes = timeline.filter(({ type }) => type === 'transition');
          let state: SloState = 'no_data';
          for (const { from_state: from, to_state: to } of changes) {
            expect([from, to === from]).toEqual([state, false]);
            state = to;
          }
          expect(alert.state).toBe(state);
        }
      }),
      { numRuns: 300 },
    );
  });
});
