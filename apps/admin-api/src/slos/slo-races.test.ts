import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import type { SloTimelineRow } from '../database/slo-tables.ts';
import { startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { availability, minuteCounter, report, slosPath, startMs } from './slo-world.test-support.ts';

/** One thing that somebody does, through one of the replicas, without waiting for the others. */
const act = fc.record({
  kind: fc.constantFrom('evaluate', 'evaluate', 'evaluate all', 'acknowledge', 'patch', 'traffic'),
  replica: fc.nat({ max: 1 }),
  slo: fc.nat({ max: 1 }),
  target: fc.constantFrom(10, 90, 99),
  failed: fc.nat({ max: 5 }),
});

describeOnEachDatabase('evaluations, acknowledgements and changes at once', (context) => {
  // Every look at the clock is another moment, and it goes on from replica to replica.
  let tick = 0;
  const nowMs = (): number => startMs + (tick += 1);
  let replicas: TestService[] = [];
  let runs = 0;
  const call = (replica: number, ...given: Parameters<TestService['call']>) =>
    (replicas[replica % replicas.length] ?? replicas[0])?.call(...given) ?? Promise.reject(new Error('no replica'));

  beforeAll(async () => {
    replicas.push(await startTestService(context.url(), { nowMs }));
    // SQLite's file belongs to one process.
    if (context.dialect === 'postgres') replicas.push(await startTestService(context.url(), { nowMs }));
  });
  afterAll(() => Promise.all(replicas.map((replica) => replica.stop())));

  it('leave no impossible state and lose no entry of a timeline', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 60, size: 'max' }), async (acts) => {
        const tenantId = `race-${(runs += 1)}`;
        await replicas[0]?.addTenant(tenantId);
        const ids = ['a', 'b'];
        for (const id of ids) {
          const made = await call(0, 'POST', slosPath, availability(tenantId, { id, evaluation_window_minutes: 5 }));
          expect(made.status).toBe(201);
        }
        const done = { acknowledged: new Map<string, number>(), updated: new Map<string, number>() };
        const query = `?tenant_id=${tenantId}`;
        const note = (counts: Map<string, number>, id: string): void => void counts.set(id, (counts.get(id) ?? 0) + 1);
        const perform = async ({ kind, replica, slo, target, failed }: (typeof acts)[number], index: number) => {
          const id = ids[slo] ?? 'a';
          if (kind === 'traffic') {
            const counter = minuteCounter(startMs, { requests: 5, errors_5xx: failed });
            return report(
              context.database(),
              { nowMs: startMs },
              { tenantId, gatewayId: 'g' },
              { counters: [counter] },
            );
          }
          if (kind === 'evaluate all')
            return allowed(await call(replica, 'POST', `${slosPath}/evaluate${query}`), [200]);
          if (kind === 'evaluate')
            return allowed(await call(replica, 'POST', `${slosPath}/${id}/evaluate${query}`), [200]);
          if (kind === 'acknowledge') {
            const answer = await call(replica, 'POST', `${slosPath}/${id}/acknowledge${query}`, {
              note: `act ${index}`,
            });
            allowed(answer, [200, 409]);
            if (answer.status === 200) note(done.acknowledged, id);
            return;
          }
          const change = { description: `act ${index}`, objective: { target_percent: target } };
          allowed(await call(replica, 'PATCH', `${slosPath}/${id}${query}`, change), [200]);
          note(done.updated, id);
        };
        await Promise.all(acts.map(perform));
        for (const id of ids) await check(tenantId, id, done.acknowledged.get(id) ?? 0, done.updated.get(id) ?? 0);
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });

  it('an objective that is deleted meanwhile is gone, with all that belongs to it', async () => {
    const tenantId = 'race-deleted';
    await replicas[0]?.addTenant(tenantId);
    const query = `?tenant_id=${tenantId}`;
    for (let round = 0; round < 8; round += 1) {
      const { body } = await call(0, 'POST', slosPath, availability(tenantId));
      const path = `${slosPath}/${body.id}`;
      const counter = minuteCounter(startMs, { requests: 5, errors_5xx: round % 2 === 0 ? 5 : 0 });
      await report(context.database(), { nowMs: startMs }, { tenantId, gatewayId: 'g' }, { counters: [counter] });
      const answers = await Promise.all([
        call(0, 'POST', `${path}/evaluate${query}`),
        call(1, 'POST', `${slosPath}/evaluate${query}`),
        call(0, 'POST', `${path}/acknowledge${query}`, {}),
        call(1, 'DELETE', `${path}${query}`),
        call(0, 'PATCH', `${path}${query}`, { description: `round ${round}` }),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => status >= 500 || status === 400)).toEqual([]);
      expect(answers[3]?.status).toBe(204);
      const { read } = context.database();
      for (const [table, column] of [
        ['slo_states', 'id'],
        ['slo_timeline', 'slo_id'],
      ] as const) {
        expect(
          await read
            .selectFrom(table)
            .selectAll()
            .where(column as never, '=', body.id as never)
            .execute(),
        ).toEqual([]);
      }
    }
  });

  async function check(tenantId: string, id: string, acknowledged: number, updated: number): Promise<void> {
    const { read } = context.database();
    const row = await read
      .selectFrom('slo_states')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const alert = JSON.parse(row.alert);
    const entries = await read
      .selectFrom('slo_timeline')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('slo_id', '=', id)
      .orderBy('sequence')
      .execute();
    expect(entries.map(({ sequence }) => sequence)).toEqual(entries.map((_, index) => index + 1));
    expect(row.last_sequence).toBe(entries.length);
    const count = (type: SloTimelineRow['type']): number => entries.filter((entry) => entry.type === type).length;
    expect([count('created'), count('acknowledged'), count('updated')]).toEqual([1, acknowledged, updated]);
    let state: string | null = null;
    let isAcknowledged = false;
    let atMs = 0;
    for (const entry of entries) {
      expect(entry.from_state).toBe(state);
      if (entry.type === 'transition') expect(entry.to_state).not.toBe(state);
      else if (entry.type !== 'created') expect(entry.to_state).toBe(state);
      if (entry.type === 'acknowledged') expect(['warning', 'critical']).toContain(state);
      isAcknowledged = entry.type === 'acknowledged' || (isAcknowledged && entry.type !== 'transition');
      state = entry.to_state;
      expect(entry.at).toBeGreaterThanOrEqual(atMs);
      atMs = entry.at;
    }
    expect([alert.state, alert.acknowledged]).toEqual([state, isAcknowledged]);
    if (row.evaluation !== null) {
      const evaluation = JSON.parse(row.evaluation);
      expect([evaluation.state, Date.parse(evaluation.evaluated_at)]).toEqual([alert.state, row.evaluated_at]);
    }
    expect(row.definition_revision).toBe(updated + 1);
  }
});

function allowed({ status, body }: { status: number; body: unknown }, statuses: readonly number[]): void {
  expect(statuses, JSON.stringify(body)).toContain(status);
}
