import { type AlertEvent, type AlertRecord, createdAlert, nextAlertState, type SloState } from '@portcullis/slo-engine';
import type { Evaluation, TimelineEvent } from '@portcullis/slo-engine';
import fc from 'fast-check';
import { expect, it } from 'vitest';

/** What one row and its timeline hold; the lock of the row makes each change of it one step. */
class Row {
  record: AlertRecord;
  readonly timeline: TimelineEvent[];
  version = 1;

  constructor() {
    const { record, timelineEvent } = createdAlert('ada', 0);
    this.record = record;
    this.timeline = [timelineEvent];
  }

  take(event: AlertEvent): boolean {
    const outcome = nextAlertState(this.record, event);
    if (!outcome.ok) return false;
    this.record = outcome.record;
    if (outcome.timelineEvent) this.timeline.push(outcome.timelineEvent);
    return true;
  }
}

const evaluationOf = (state: SloState): Evaluation => ({ state }) as Evaluation;

it('whatever comes between reading, judging and storing, no state is impossible and no entry is lost', async () => {
  const act = fc.record({
    kind: fc.constantFrom('evaluate', 'evaluate', 'acknowledge', 'update'),
    state: fc.constantFrom('healthy', 'warning', 'critical', 'no_data'),
  });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(act, { minLength: 2, maxLength: 20 }), async (scheduler, acts) => {
      const row = new Row();
      const done = { acknowledged: 0, updated: 0 };
      let atMs = 0;
      const step = (label: string): Promise<string> => scheduler.schedule(Promise.resolve(label), label);
      const perform = async ({ kind, state }: (typeof acts)[number]): Promise<void> => {
        await step('asked');
        if (kind === 'evaluate') {
          const judged = { atMs: (atMs += 1), definitionVersion: row.version };
          await step('judged');
          row.take({ type: 'evaluated', evaluation: evaluationOf(state), ...judged });
        } else if (kind === 'acknowledge') {
          await step('looked');
          if (row.take({ type: 'acknowledged', by: 'ada', note: null, atMs: (atMs += 1) })) done.acknowledged += 1;
        } else {
          row.version += 1;
          row.take({ type: 'updated', by: 'ada', atMs: (atMs += 1), definitionVersion: row.version });
          done.updated += 1;
        }
        const { state: now, acknowledged } = row.record.alert;
        expect(acknowledged && now !== 'warning' && now !== 'critical').toBe(false);
      };
      const all = Promise.all(acts.map(perform));
      await scheduler.waitAll();
      await all;
      const count = (type: TimelineEvent['type']): number => row.timeline.filter((entry) => entry.type === type).length;
      expect([count('acknowledged'), count('updated')]).toEqual([done.acknowledged, done.updated]);
      for (const [index, entry] of row.timeline.entries()) {
        expect(entry.from_state).toBe(index === 0 ? null : row.timeline[index - 1]?.to_state);
      }
      expect(row.timeline.at(-1)?.to_state).toBe(row.record.alert.state);
      expect(row.record.definitionVersion).toBeLessThanOrEqual(row.version);
    }),
  );
});
