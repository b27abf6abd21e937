import { describe, expect, it } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { isValues } from '../resources/values.ts';
import { planBundle } from './bundle-plan.ts';
import type { BundlePlan, PlanJob } from './bundle-plan.ts';
import { BundlePlanner } from './bundle-planner.ts';
import type { PlanCaller } from './bundle-planner.ts';

const callerOf = (tenantId: string, signal = new AbortController().signal): PlanCaller => ({
  tenantId,
  maskOf: (secret) => secret,
  signal,
});
const masksOf = async (secrets: readonly string[]): Promise<readonly string[]> => secrets;

function jobOf(records: number, tenantId = 'acme'): PlanJob {
  const consumers = Array.from({ length: records }, (_, index) => ({ username: `c${index}`, labels: { a: '1' } }));
  return { purpose: 'check', strict: false, document: { tenant_id: tenantId, consumers }, live: {} };
}

/** Routes of 200 values whose expressions have 270,000 instructions. */
const repeating = Array.from({ length: 10 }, (_, route) => ({
  name: `r${route}`,
  paths: Array.from({ length: 14 }, (__, path) => `~/${route}/${path}/a{950}`),
}));

/** A planner whose thread finishes one job each time it is told to, and the tenants whose jobs it began. */
function plannerWithGate() {
  const gates: (() => void)[] = [];
  const started: unknown[] = [];
  const planner = new BundlePlanner({
    newId: uuidv7,
    async plan(job, { signal }): Promise<BundlePlan> {
      started.push(isValues(job.document) && job.document['tenant_id']);
      await new Promise<void>((resolve, reject) => {
        gates.push(resolve);
        signal.addEventListener('abort', () => reject(new Error('ended')), { once: true });
      });
      return planBundle(job, { newId: uuidv7, masksOf });
    },
  });
  const plan = (tenantId: string, signal?: AbortSignal): Promise<BundlePlan> => {
    const planned = planner.plan(jobOf(2000, tenantId), callerOf(tenantId, signal));
    // Some are looked at only after others.
    planned.catch(() => undefined);
    return planned;
  };
  const finishOne = (): void => gates.shift()?.();
  /** Ends what runs until so many have begun. */
  const finishUntil = async (count: number): Promise<void> => {
    while (started.length < count) {
      const before = started.length;
      finishOne();
      await expect.poll(() => started.length).toBe(before + 1);
    }
  };
  return { planner, plan, started, finishOne, finishUntil };
}

describe('BundlePlanner', () => {
  it('plans small bundles at once, whatever runs', async () => {
    const { planner, started, finishOne } = plannerWithGate();
    const large = planner.plan(jobOf(2000), callerOf('acme'));
    expect((await planner.plan(jobOf(100), callerOf('acme'))).validation.valid).toBe(true);
    expect(started).toEqual(['acme']);
    finishOne();
    expect((await large).validation.counts['consumers']).toBe(2000);
  });

  it.each<[string, Partial<PlanJob>]>([
    ['one long text', { document: { tenant_id: 'acme', consumers: [{ username: 'x'.repeat(1_000_000) }] } }],
    ['short expressions that are long work', { document: { tenant_id: 'acme', routes: repeating } }],
    ['a large live state', { live: { consumers: Array.from({ length: 1001 }, (_, index) => ({ id: `c${index}` })) } }],
  ])('%s counts as large', async (_, changes) => {
    const { planner, started, finishOne } = plannerWithGate();
    const planned = planner.plan({ ...jobOf(1), ...changes }, callerOf('acme'));
    await expect.poll(() => started).toEqual(['acme']);
    finishOne();
    await planned;
  });

  it('runs one large bundle after the other, and tenants take turns', async () => {
    const { plan, started, finishOne, finishUntil } = plannerWithGate();
    const order = ['a', 'a', 'a', 'b', 'b', 'c'];
    const accepted = order.map((tenantId) => plan(tenantId));
    await finishUntil(2);
    // Who comes later goes before those that had a turn since.
    const late = plan('d');
    await finishUntil(7);
    finishOne();
    await Promise.all([...accepted, late]);
    expect(started).toEqual(['a', 'b', 'c', 'a', 'd', 'b', 'a']);
  });

  it('lets a tenant wait for no more than the plan that runs, however many another one has', async () => {
    const { plan, started, finishOne, finishUntil } = plannerWithGate();
    const flood = [plan('a'), plan('a'), plan('a')];
    const other = plan('b');
    finishOne();
    await flood[0];
    await expect.poll(() => started).toEqual(['a', 'b']);
    finishOne();
    expect((await other).validation.valid).toBe(true);
    await expect.poll(() => started).toEqual(['a', 'b', 'a']);
    // The places that became free are taken at once by the same tenant.
    flood.push(plan('a'));
    const next = plan('b');
    finishOne();
    await flood[1];
    await expect.poll(() => started.at(-1)).toBe('b');
    await finishUntil(6);
    finishOne();
    await Promise.all([...flood, next]);
  });

  it('lets a tenant have two waiting, and all eight', async () => {
    const { plan, started, finishOne, finishUntil } = plannerWithGate();
    const accepted = ['a', 'a', 'a', 'b', 'b', 'c', 'c', 'd', 'd'].map((tenantId) => plan(tenantId));
    const headers = { 'retry-after': '10' };
    await expect(plan('a')).rejects.toMatchObject({ code: 'rate_limited', status: 429, headers });
    await expect(plan('e')).rejects.toMatchObject({ code: 'unavailable', status: 503, headers });
    await finishUntil(accepted.length);
    finishOne();
    await Promise.all(accepted);
    const again = plan('e');
    await expect.poll(() => started.length).toBe(accepted.length + 1);
    finishOne();
    expect((await again).validation.valid).toBe(true);
  });

  it('gives up what a caller has waiting or running that is gone', async () => {
    const { plan, started, finishOne } = plannerWithGate();
    const leaving = new AbortController();
    const gone = [plan('a', leaving.signal), plan('a', leaving.signal), plan('a', leaving.signal)];
    const stays = plan('b');
    await expect(plan('a')).rejects.toMatchObject({ code: 'rate_limited' });
    leaving.abort();
    for (const planned of gone) await expect(planned).rejects.toMatchObject({ code: 'request_timeout' });
    await expect(plan('a', leaving.signal)).rejects.toMatchObject({ code: 'request_timeout' });
    await expect.poll(() => started).toEqual(['a', 'b']);
    const places = [plan('a'), plan('a')];
    await expect(plan('a')).rejects.toMatchObject({ code: 'rate_limited' });
    // The first gate is that of the plan that was given up.
    for (let count = 0; count < 2; count += 1) finishOne();
    expect((await stays).validation.valid).toBe(true);
    await expect.poll(() => started.length).toBe(3);
    finishOne();
    await expect.poll(() => started.length).toBe(4);
    finishOne();
    await Promise.all(places);
  });
});
