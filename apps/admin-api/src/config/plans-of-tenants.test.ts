import { eventually } from '@portcullis/testkit';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import type { SuiteContext } from '../database/each-database.test-support.ts';
import { isValues } from '../resources/values.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { TestService } from '../testing/test-service.test-support.ts';
import { planBundle } from './bundle-plan.ts';
import type { BundlePlan, PlanJob } from './bundle-plan.ts';
import { planInThread } from './plan-in-thread.ts';
import type { PlanThreadOptions } from './plan-in-thread.ts';

/** A bundle that is planned in a thread. */
function bundleOf(tenantId: string, first = 'c'): object {
  const names = [first, ...Array.from({ length: 1500 }, (_, index) => `c${index}`)];
  return { tenant_id: tenantId, consumers: names.map((username) => ({ username, labels: { team: 'a' } })) };
}
const endless = bundleOf('acme', 'endless');

/** A thread that never says anything and never ends by itself. */
const endlessThread = new URL(`data:text/javascript,${encodeURIComponent('setInterval(() => undefined, 60_000)')}`);
const noLimitMs = 2 ** 31 - 1;
const ports = { newId: uuidv7, masksOf: async (secrets: readonly string[]) => secrets };

/** What a machine that is five times slower needs, and more. */
const timeoutMs = 120_000;

/** Plans where it stands once a gate opens; of {@link endless} in a thread that runs until it is told to end. */
class Threads {
  readonly begun: string[] = [];
  readonly endless: Promise<BundlePlan>[] = [];
  gate: Promise<void> = Promise.resolve();

  readonly plan = async (job: PlanJob, options: PlanThreadOptions): Promise<BundlePlan> => {
    const { tenant_id: tenantId, consumers } = isValues(job.document) ? job.document : {};
    this.begun.push(String(tenantId));
    await this.gate;
    if (!JSON.stringify(consumers).includes('endless')) return planBundle(job, ports);
    const planned = planInThread(job, { ...options, timeLimitMs: noLimitMs, workerUrl: endlessThread });
    this.endless.push(planned);
    return planned;
  };
}

describeOnEachDatabase('plans of several tenants', (context: SuiteContext) => {
  let service: TestService;
  let threads: Threads;

  const validate = async (body: object, signal?: AbortSignal): Promise<Response> =>
    fetch(`${service.url}/api/v1/admin/config/validate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  /** Asks for more plans than a tenant may have running and waiting; one is refused, so the others have their places. */
  const floodWith = async (
    body: object,
    { count, signal }: { readonly count: number; readonly signal?: AbortSignal },
  ): Promise<Promise<Response | undefined>[]> => {
    const refused = Promise.withResolvers<Response>();
    const sent = Array.from({ length: count }, async () => {
      const answer = await validate(body, signal).catch(() => undefined);
      if (answer?.status === 429) refused.resolve(answer);
      return answer;
    });
    expect((await refused.promise).headers.get('retry-after')).toBe('10');
    return sent;
  };

  beforeAll(async () => {
    threads = new Threads();
    service = await startTestService(context.url(), { planInThread: threads.plan });
    await service.addTenant('acme');
    await service.addTenant('globex');
  });
  afterAll(() => service.stop());

  it(
    'one that has many lets another wait for a single one',
    async () => {
      const gate = Promise.withResolvers<void>();
      threads.gate = gate.promise;
      // One runs and two wait; of the other tenant two wait.
      const sent = await floodWith(bundleOf('acme'), { count: 4 });
      sent.push(...(await floodWith(bundleOf('globex'), { count: 3 })));
      expect(threads.begun).toEqual(['acme']);
      gate.resolve();
      const statuses = (await Promise.all(sent)).map((answer) => answer?.status);
      expect(statuses.toSorted((a, b) => Number(a) - Number(b))).toEqual([200, 200, 200, 200, 200, 429, 429]);
      expect(threads.begun).toEqual(['acme', 'globex', 'acme', 'globex', 'acme']);
    },
    timeoutMs,
  );

  it(
    'callers that go away leave no plan behind, neither running nor waiting',
    async () => {
      const leaving = new AbortController();
      const sent = await floodWith(endless, { count: 4, signal: leaving.signal });
      await eventually(() => threads.endless.length > 0);
      leaving.abort();
      // Nothing else ends the plan that runs: whoever has to wait for it waits for ever.
      const other = await validate(bundleOf('globex'));
      expect(await other.json()).toMatchObject({ valid: true });
      // The places are free again once the service has learnt of each caller that it is gone.
      await eventually(async () => (await validate(bundleOf('acme'))).status === 200);
      const ended = await Promise.allSettled(threads.endless);
      expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['rejected']));
      expect(await Promise.all(sent)).toContain(undefined);
    },
    timeoutMs,
  );
});
