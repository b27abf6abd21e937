import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import {
  batchCount,
  type BatchPlan,
  eventsAround,
  type ObservedEvent,
  thresholdsUs,
  toldOf,
} from './observed-events.test-support.ts';
import { report, slosPath, startMs, startSloService } from './slo-world.test-support.ts';

/** An objective whose numbers are whole hundredths, so that the oracle needs whole numbers only. */
interface AskedObjective {
  readonly gatewayId: string | undefined;
  /** `undefined` for availability. */
  readonly thresholdUs: number | undefined;
  readonly windowMinutes: number;
  readonly targetHundredths: number;
  readonly warningHundredths: number;
  readonly criticalHundredths: number;
}

const objective: fc.Arbitrary<AskedObjective> = fc.record({
  gatewayId: fc.constantFrom(undefined, 'edge', 'inner'),
  thresholdUs: fc.constantFrom(undefined, ...thresholdsUs.slice(1)),
  windowMinutes: fc.oneof(fc.constantFrom(5, 60, 1440, 43_200), fc.integer({ min: 5, max: 43_200 })),
  targetHundredths: fc.integer({ min: 1, max: 9999 }),
  warningHundredths: fc.integer({ min: 1, max: 200 }),
  criticalHundredths: fc.integer({ min: 201, max: 1000 }),
});

const plans: fc.Arbitrary<BatchPlan[]> = fc.array(
  fc.record({
    thresholds: fc.constantFrom([...thresholdsUs], [1000], []),
    hasRecords: fc.boolean(),
    times: fc.integer({ min: 1, max: 2 }),
  }),
  { minLength: batchCount, maxLength: batchCount },
);
/** Gateways that knew all thresholds and thinned no records. */
const perfect = fc.boolean();

/** Five minutes before a full hour; moments of the next ten minutes lie on both sides of it, and the session is not over yet. */
const beginMs = startMs + 24.5 * 60_000;

/** Counts events one by one. */
function oracle(
  events: readonly ObservedEvent[],
  asked: AskedObjective,
  nowMs: number,
): { total: bigint; bad: bigint } {
  let [total, bad] = [0n, 0n];
  for (const event of events) {
    const isIn = event.occurredAtMs > nowMs - asked.windowMinutes * 60_000 && event.occurredAtMs <= nowMs;
    if (!isIn || (asked.gatewayId !== undefined && event.gatewayId !== asked.gatewayId)) continue;
    total += 1n;
    const { thresholdUs } = asked;
    const isBad =
      thresholdUs === undefined ? event.status >= 500 && event.status <= 599 : event.latencyUs > thresholdUs;
    if (isBad) bad += 1n;
  }
  return { total, bad };
}

function stateOf({ total, bad }: { total: bigint; bad: bigint }, asked: AskedObjective): string {
  if (total === 0n) return 'no_data';
  // bad / (total * (10000 - target) / 10000) >= rate / 100
  const isAtLeast = (rate: number): boolean =>
    bad * 10_000n * 100n >= BigInt(rate) * total * BigInt(10_000 - asked.targetHundredths);
  return isAtLeast(asked.criticalHundredths) ? 'critical' : isAtLeast(asked.warningHundredths) ? 'warning' : 'healthy';
}

describeOnEachDatabase('evaluations beside an oracle that keeps every event', (context) => {
  const clock = { nowMs: beginMs };
  let service: Awaited<ReturnType<typeof startSloService>>;
  let runs = 0;
  beforeAll(async () => {
    service = await startSloService(context.url(), clock);
  });
  afterAll(() => service.stop());

  it('counts what it counts, whatever is late, sent twice, out of order, not compared or thinned', async () => {
    const nowOf = fc.integer({ min: 0, max: 10 * 60_000 }).map((ms) => beginMs + ms);
    const world = nowOf.chain((nowMs) =>
      fc.record({
        nowMs: fc.constant(nowMs),
        events: eventsAround(nowMs),
        plans,
        perfect,
        order: fc.shuffledSubarray([...Array(batchCount).keys()], { minLength: batchCount }),
        objectives: fc.array(objective, { minLength: 1, maxLength: 6 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(world, async ({ nowMs, events, plans: given, perfect: isPerfect, order, objectives }) => {
        const tenantId = `oracle-${(runs += 1)}`;
        clock.nowMs = nowMs;
        await service.addTenant(tenantId);
        for (const id of ['edge', 'inner'])
          await service.ok('POST', '/api/v1/admin/gateways', { tenant_id: tenantId, id, name: id });
        const bootId = randomUUID();
        for (const [index, batch] of [...order, ...order].entries()) {
          const plan = given[batch];
          if (!plan || index / batchCount >= plan.times) continue;
          const knowing = isPerfect ? { ...plan, thresholds: thresholdsUs, hasRecords: true } : plan;
          for (const gatewayId of ['edge', 'inner']) {
            const own = events.filter((event) => event.batch === batch && event.gatewayId === gatewayId);
            const told = toldOf(own, knowing, { name: `${gatewayId}-${batch}`, nowMs });
            await report(context.database(), clock, { tenantId, gatewayId }, told, { bootId, sequence: batch + 1 });
          }
        }
        for (const asked of objectives) await expectJudged(tenantId, asked, oracle(events, asked, nowMs), isPerfect);
      }),
      { numRuns: 12 },
    );
    expect(runs).toBeGreaterThan(0);
  });

  async function expectJudged(
    tenantId: string,
    asked: AskedObjective,
    truth: { total: bigint; bad: bigint },
    isPerfect: boolean,
  ) {
    const { thresholdUs } = asked;
    const made = await service.ok('POST', slosPath, {
      tenant_id: tenantId,
      name: 'asked',
      ...(asked.gatewayId !== undefined && { gateway_id: asked.gatewayId }),
      objective: {
        type: thresholdUs === undefined ? 'availability' : 'latency',
        target_percent: asked.targetHundredths / 100,
        ...(thresholdUs !== undefined && { latency_threshold_ms: thresholdUs / 1000 }),
      },
      evaluation_window_minutes: asked.windowMinutes,
      alert_policy: {
        warning_burn_rate: asked.warningHundredths / 100,
        critical_burn_rate: asked.criticalHundredths / 100,
      },
    });
    const { evaluation } = (await service.ok('POST', `${slosPath}/${made.body.id}/evaluate?tenant_id=${tenantId}`))
      .body;
    const found = { total: BigInt(evaluation.total_events), bad: BigInt(evaluation.bad_events) };
    if (isPerfect && isRecorded(asked)) expect(evaluation).toMatchObject({ exact: true });
    if (evaluation.exact) {
      expect(found).toEqual(truth);
      expect(evaluation.state).toBe(stateOf(truth, asked));
      return;
    }
    const [totalLeast, totalMost] = evaluation.total_events_bounds;
    const [badLeast, badMost] = evaluation.bad_events_bounds;
    expect(totalLeast <= truth.total && truth.total <= totalMost, `total ${JSON.stringify(evaluation)}`).toBe(true);
    expect(badLeast <= truth.bad && truth.bad <= badMost, `bad ${JSON.stringify(evaluation)}`).toBe(true);
    const severities = ['no_data', 'healthy', 'warning', 'critical'];
    const [shown, real] = [evaluation.state, stateOf(truth, asked)].map((state) => severities.indexOf(state));
    expect(shown).toBeGreaterThanOrEqual(real ?? 0);
  }

  /** Raw records of the minute that the window cuts are still kept. */
  function isRecorded({ windowMinutes }: AskedObjective): boolean {
    return windowMinutes * 60_000 < 6 * 86_400_000;
  }
});
