import { describe, expect, it } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { bundleBehaviours, assertPlannable } from './bundle-behaviours.ts';
import { planBundle } from './bundle-plan.ts';
import type { PlanJob } from './bundle-plan.ts';
import { planInThread } from './plan-in-thread.ts';

const maskOf = (secret: string): string => `[redacted:${String(secret.length).padStart(8, '0')}]`;
const ports = { newId: uuidv7, masksOf: async (secrets: readonly string[]) => secrets.map(maskOf) };
const timeLimitMs = 20_000;
const { signal } = new AbortController();

function consumers(count: number, from = 0): object[] {
  return Array.from({ length: count }, (_, index) => ({ username: `c${from + index}`, labels: { team: 'a' } }));
}

/** A tenant with consumers and a plugin with a secret, and a bundle that changes, adds and keeps some of it. */
function job(changes: Partial<PlanJob> = {}): PlanJob {
  const secret = 'a secret of seventeen';
  const plugin = { id: 'p1', name: 'api_key_auth', config: { valid_keys: [secret] } };
  const stored = { ...plugin, enabled: true, labels: {}, config: { valid_keys: [maskOf(secret)] } };
  return {
    purpose: 'apply',
    strict: true,
    document: { tenant_id: 'acme', consumers: consumers(1700), plugins: [plugin], bogus: [1], routes: null },
    live: {
      gateways: [],
      consumers: consumers(1200, 900).map((consumer, index) => ({ ...consumer, id: `id-${index}` })),
      plugins: [stored],
    },
    ...changes,
  };
}

const worker = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

describe('planInThread', () => {
  it('gives the same plan as planning in place, secrets compared by masks that the thread cannot make', async () => {
    const here = await planBundle(job(), ports);
    const there = await planInThread(job(), { maskOf, timeLimitMs, signal });
    const withoutIds = ({ desired, diff, ...rest }: typeof here) => ({
      ...rest,
      summary: diff.summary,
      changed: diff.changes.map(({ id: _, ...change }) => change),
      unmanaged: diff.unmanaged,
      desired: [...desired.values()].map(({ id: _, ...record }) => record),
    });
    expect(withoutIds(there)).toEqual(withoutIds(here));
    expect(there.errors).toMatchObject([{ pointer: '/bogus', code: 'unknown_field' }]);
    expect(there.diff.changes.length).toBeGreaterThan(900);
    const fields = there.diff.changes.filter((change) => change.resource_type === 'plugins');
    expect(JSON.stringify(fields)).not.toContain('secret_changed');
    expect(there.desired.size).toBe(there.diff.changes.length);
    expect(new Set(there.diff.changes.map(({ id }) => id)).size).toBe(there.diff.changes.length);
  });

  it.each([[null], [[]], ['text'], [{ tenant_id: 1, consumers: {} }]])(
    'says what is wrong with %j',
    async (document) => {
      const broken = job({ document, purpose: 'check', live: {} });
      expect((await planInThread(broken, { maskOf, timeLimitMs, signal })).validation).toEqual(
        (await planBundle(broken, ports)).validation,
      );
    },
  );

  it('lets everyone else go on, also with a hundred thousand records', async () => {
    const large = job({ purpose: 'check', document: { tenant_id: 'acme', consumers: consumers(100_000) }, live: {} });
    // What this thread itself computes without a pause: on a busy machine time passes without it.
    const computedMs = (): number => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1000;
    };
    let longestMs = 0;
    let lastMs = computedMs();
    const timer = setInterval(() => {
      const nowMs = computedMs();
      longestMs = Math.max(longestMs, nowMs - lastMs);
      lastMs = nowMs;
    }, 1);
    const plan = await planInThread(large, { maskOf, timeLimitMs, signal });
    clearInterval(timer);
    expect(plan.validation).toMatchObject({ valid: true, counts: { consumers: 100_000 } });
    expect(longestMs).toBeLessThan(100);
  });

  it.each([
    ['hangs', 'setInterval(() => undefined, 1000)', 200],
    ['never lets go', 'for (;;);', 200],
    ['breaks', 'throw new Error("broken")', timeLimitMs],
    ['ends', 'process.exit(0)', timeLimitMs],
  ])('a thread that %s is 503 with a time to come back', async (_, code, limitMs) => {
    const planned = planInThread(job(), { maskOf, timeLimitMs: limitMs, signal, workerUrl: worker(code) });
    await expect(planned).rejects.toMatchObject({ code: 'unavailable', headers: { 'retry-after': '30' } });
  });

  it('says how long a plan may take', async () => {
    const planned = planInThread(job(), { maskOf, timeLimitMs: 200, signal, workerUrl: worker('for (;;);') });
    await expect(planned).rejects.toThrow('longer than 0.2 seconds');
  });

  it('ends a thread that never lets go when it is told to, and begins none after that', async () => {
    const leaving = new AbortController();
    const reason = new Error('gone');
    const channel = new BroadcastChannel('ran');
    const running = new Promise((resolve) => channel.addEventListener('message', resolve, { once: true }));
    const code = "new BroadcastChannel('ran').postMessage(1); for (;;);";
    const options = { maskOf, timeLimitMs, signal: leaving.signal, workerUrl: worker(code) };
    const planned = planInThread(job(), options);
    planned.catch(() => undefined);
    await running;
    leaving.abort(reason);
    await expect(planned).rejects.toBe(reason);
    await expect(planInThread(job(), options)).rejects.toBe(reason);
    channel.close();
  });
});

it('planning refuses to start without a rule that writing has', () => {
  assertPlannable(bundleBehaviours);
  const stricter = new Map([...bundleBehaviours, ['consumers', { check: () => [] }] as const]);
  expect(() => assertPlannable(stricter)).toThrow('without the rules of consumers');
});
