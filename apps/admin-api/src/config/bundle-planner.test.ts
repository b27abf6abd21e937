import { describe, expect, it } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { planBundle } from './bundle-plan.ts';
import type { BundlePlan, PlanJob } from './bundle-plan.ts';
import { BundlePlanner } from './bundle-planner.ts';

const maskOf = (secret: string): string => secret;
const masksOf = async (secrets: readonly string[]): Promise<readonly string[]> => secrets;

function jobOf(records: number): PlanJob {
  const consumers = Array.from({ length: records }, (_, index) => ({ username: `c${index}`, labels: { a: '1' } }));
  return { purpose: 'check', strict: false, document: { tenant_id: 'acme', consumers }, live: {} };
}

/** Routes of 200 values whose expressions have 270,000 instructions. */
const repeating = Array.from({ length: 10 }, (_, route) => ({
  name: `r${route}`,
  paths: Array.from({ length: 14 }, (__, path) => `~/${route}/${path}/a{950}`),
}));

/** A planner whose thread finishes one job each time it is told to. */
function plannerWithGate() {
  const gates: (() => void)[] = [];
  const started: number[] = [];
  const planner = new BundlePlanner({
    newId: uuidv7,
    async plan(job): Promise<BundlePlan> {
      started.push(started.length);
      await new Promise<void>((resolve) => gates.push(resolve));
      return planBundle(job, { newId: uuidv7, masksOf });
    },
  });
  return { planner, started, finishOne: () => gates.shift()?.() };
}

describe('BundlePlanner', () => {
  it('plans small bundles at once, whatever runs', async () => {
    const { planner, started, finishOne } = plannerWithGate();
    const large = planner.plan('acme', jobOf(2000), maskOf);
    expect((await planner.plan('acme', jobOf(100), maskOf)).validation.valid).toBe(true);
    expect(started).toEqual([0]);
    finishOne();
    expect((await large).validation.counts['consumers']).toBe(2000);
  });

  it.each<[string, Partial<PlanJob>]>([
    ['one long text', { document: { tenant_id: 'acme', consumers: [{ username: 'x'.repeat(1_000_000) }] } }],
    ['short expressions that are long work', { document: { tenant_id: 'acme', routes: repeating } }],
    ['a large live state', { live: { consumers: Array.from({ length: 1001 }, (_, index) => ({ id: `c${index}` })) } }],
  ])('%s counts as large', async (_, changes) => {
    const { planner, started, finishOne } = plannerWithGate();
    const planned = planner.plan('acme', { ...jobOf(1), ...changes }, maskOf);
    await expect.poll(() => started).toEqual([0]);
    finishOne();
    await planned;
  });

  it('runs one large bundle after the other; a tenant has two waiting, all have eight', async () => {
    const { planner, started, finishOne } = plannerWithGate();
    const plan = (tenantId: string) => planner.plan(tenantId, jobOf(2000), maskOf);
    const accepted = ['a', 'a', 'a', 'b', 'b', 'c', 'c', 'd', 'd'].map(plan);
    const headers = { 'retry-after': '10' };
    await expect(plan('a')).rejects.toMatchObject({ code: 'rate_limited', status: 429, headers });
    await expect(plan('e')).rejects.toMatchObject({ code: 'unavailable', status: 503, headers });
    for (const [position, planned] of accepted.entries()) {
      await expect.poll(() => started.length).toBe(position + 1);
      finishOne();
      await planned;
    }
    const again = plan('e');
    await expect.poll(() => started.length).toBe(accepted.length + 1);
    finishOne();
    expect((await again).validation.valid).toBe(true);
  });
});
