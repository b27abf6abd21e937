import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import type { SuiteContext } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { TestService } from '../testing/test-service.test-support.ts';

/** As many rules as a schema may have: each value of a config breaks all of them. */
const slowSchema = {
  type: 'object',
  additionalProperties: { allOf: Array.from({ length: 850 }, () => ({ type: 'string' })) },
};

/** As many values as that many rules allow. */
const config = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, index]));

/** A bundle of acme whose plan is long work. */
function slowBundle(plugins: number): object {
  return { tenant_id: 'acme', plugins: Array.from({ length: plugins }, () => ({ name: 'slow', config })) };
}
/** Its plan takes some seconds. */
const seconds = slowBundle(300);
/** Its plan is given up after ten seconds. */
const tooLong = slowBundle(5000);
/** Well below that, and well above what a plan of {@link common} takes. */
const soonMs = 7000;

const consumers = Array.from({ length: 1500 }, (_, index) => ({ username: `c${index}`, labels: { team: 'a' } }));
const common = { tenant_id: 'globex', consumers };

describeOnEachDatabase('plans of several tenants', (context: SuiteContext) => {
  let service: TestService;

  const validate = async (body: object, signal?: AbortSignal): Promise<Response> =>
    fetch(`${service.url}/api/v1/admin/config/validate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  /** Asks for so many plans that acme has one running and all that it may have waiting. */
  const floodWith = async (body: object, signal: AbortSignal): Promise<Promise<Response | undefined>[]> => {
    const refused = Promise.withResolvers<Response>();
    const sent = Array.from({ length: 4 }, async () => {
      const answer = await validate(body, signal).catch(() => undefined);
      if (answer?.status === 429) refused.resolve(answer);
      return answer;
    });
    expect((await refused.promise).headers.get('retry-after')).toBe('10');
    return sent;
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    await service.addTenant('globex');
    const installed = { tenant_id: 'acme', name: 'slow', config_schema: slowSchema };
    expect((await service.call('POST', '/api/v1/admin/plugin-packages', installed)).status).toBe(201);
  });
  afterAll(() => service.stop());

  it('one that has many slow ones lets another wait for a single one', async () => {
    const over = new AbortController();
    const sent = await floodWith(seconds, over.signal);
    let ended = 0;
    for (const answer of sent) void answer.then((given) => (ended += given?.status === 429 ? 0 : 1));
    const other = await validate(common);
    expect(ended).toBeLessThanOrEqual(1);
    expect(await other.json()).toMatchObject({ valid: true });
    over.abort();
    await Promise.all(sent);
  }, 60_000);

  it('callers that go away leave no plan behind, neither running nor waiting', async () => {
    const leaving = new AbortController();
    const sent = await floodWith(tooLong, leaving.signal);
    const startedMs = performance.now();
    leaving.abort();
    const other = await validate(common);
    expect(await other.json()).toMatchObject({ valid: true });
    const own = await validate({ ...common, tenant_id: 'acme' });
    expect(await own.json()).toMatchObject({ valid: true });
    expect(performance.now() - startedMs).toBeLessThan(soonMs);
    await Promise.all(sent);
  }, 60_000);
});
