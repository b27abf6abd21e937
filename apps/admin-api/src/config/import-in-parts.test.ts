import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { ImportBench, edge, service1 } from './import-bench.test-support.ts';
import type { Answer } from '../testing/test-service.test-support.ts';

describeOnEachDatabase('import in parts', (context) => {
  const bench = new ImportBench();
  const { bring, call, freshTenant, names } = bench;

  beforeAll(() => bench.start(context.url()));
  afterAll(() => bench.stop());

  it('keeps what is fine and says of the rest, and of what refers to it, what is wrong', async () => {
    await freshTenant();
    const at = { gateway_name: 'edge' };
    const records = {
      ...edge,
      services: [{ ...at, name: 'bad', url: 'nonsense', retries: -1 }, service1],
      routes: [
        { ...at, name: 'to-bad', path: '/bad', service_name: 'bad' },
        { ...at, name: 'to-one', path: '/one', service_name: 'one' },
      ],
      consumers: [{ username: 'ann' }],
      consumer_credentials: [
        { consumer_name: 'ann', type: 'basic', username: 'ann', password: '[redacted]' },
        { consumer_name: 'ann', type: 'api_key', name: 'k', key: 'a-key-of-some-length' },
      ],
    };
    const dry = await bring(records, '?atomic=false&dry_run=true');
    expect(dry.body).toMatchObject({
      status: 'dry_run',
      counts: { created: 0, failed: 3 },
      diff: { summary: { create: 5 } },
    });
    const answer = await bring(records, '?atomic=false&snapshot=true');
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({
      status: 'partial_failure',
      validation: { valid: false },
      counts: { created: 5, updated: 0, unchanged: 0, skipped: 0, failed: 3 },
      snapshot: { reason: 'pre_import' },
    });
    const failed = answer.body.results.filter((line: Answer['body']) => line.action === 'failed');
    expect(failed).toMatchObject([
      { resource_type: 'services', name: 'bad', error: { pointer: expect.stringMatching(/^\/(?:url|retries)$/) } },
      { resource_type: 'routes', name: 'to-bad', error: { code: 'reference_not_found', pointer: '/service_name' } },
      { resource_type: 'consumer_credentials', error: { code: 'secret_required', pointer: '/password' } },
    ]);
    const pointers = answer.body.validation.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers.toSorted()).toEqual([
      '/consumer_credentials/0/password',
      '/routes/0/service_name',
      '/services/0/retries',
      '/services/0/url',
    ]);
    expect(await names('/gateways/edge/routes')).toEqual(['to-one']);
    const again = await bring(records, '?atomic=false');
    expect(again.body).toMatchObject({
      status: 'partial_failure',
      counts: { created: 0, unchanged: 5, failed: 3 },
      revision: answer.body.revision,
    });
    const audits = await call('GET', '/audits/?entity=route');
    expect(audits.body.items).toMatchObject([{ action: 'create', after: { name: 'to-one' } }]);
  });

  it('of which nothing is left but what is skipped fails, and a dry run says so too', async () => {
    await freshTenant();
    await bring({ ...edge, services: [service1] });
    const records = {
      services: [
        { ...service1, url: 'http://two.test' },
        { ...service1, name: 'bad', url: 'nonsense' },
      ],
    };
    for (const query of ['?atomic=false&dry_run=true', '?atomic=false']) {
      const { body } = await bring(records, query);
      expect(body).toMatchObject({ status: 'failed', counts: { created: 0, updated: 0, skipped: 1, failed: 1 } });
      expect(body.results.map((line: Answer['body']) => line.action)).toEqual(['failed', 'skipped']);
    }
  });

  it('goes on also when the database refuses what a plan cannot know, one record of many', async () => {
    await freshTenant();
    const consumers = Array.from({ length: 40 }, (_, index) => ({ username: `c${index}` }));
    await bring({ consumers });
    const key = (index: number): string => `a-key-that-is-long-enough-${index % 20}`;
    // Twenty keys for forty consumers: a key belongs to one credential of the tenant.
    const credentials = consumers.map(({ username }, index) => ({
      consumer_name: username,
      type: 'api_key',
      name: 'main',
      key: key(index),
    }));
    const whole = await bring({ consumer_credentials: credentials });
    expect(whole.status === 409 || whole.body.status === 'failed').toBe(true);
    expect(await names('/consumer-credentials')).toEqual([]);
    const parts = await bring({ consumer_credentials: credentials }, '?atomic=false');
    expect(parts.body, JSON.stringify(parts.body).slice(0, 600)).toMatchObject({
      status: 'partial_failure',
      counts: { created: 20, failed: 20 },
    });
    expect(JSON.stringify(parts.body)).not.toContain('long-enough');
    expect(parts.body.results.filter((line: Answer['body']) => line.action === 'failed')[0].error).toMatchObject({
      code: expect.any(String),
      message: expect.any(String),
    });
    expect(await names('/consumer-credentials?limit=100')).toHaveLength(20);
    const changes = await context
      .database()
      .read.selectFrom('audit_records')
      .select('entity_id')
      .where('tenant_id', '=', bench.tenant)
      .where('entity_type', '=', 'consumer_credential')
      .execute();
    expect(changes).toHaveLength(20);
    expect((await call('POST', '/config/diff', { tenant_id: bench.tenant })).body.live_revision).toBe(
      parts.body.revision,
    );
  });

  it('has failed when nothing is left, and when the document itself is wrong', async () => {
    await freshTenant();
    const wrong = await bring({ consumers: [{ username: 1 }, { bogus: true }] }, '?atomic=false&snapshot=true');
    expect(wrong.body).toMatchObject({ status: 'failed', counts: { created: 0, failed: 2 }, snapshot: null });
    const unknown = await bring({ ...edge, bogus: [] }, '?atomic=false');
    expect(unknown.body).toMatchObject({ status: 'failed', counts: { created: 0 }, results: [] });
    expect(await names('/gateways')).toEqual([]);
    const many = Array.from({ length: 2500 }, (_, index) => ({ username: index % 2 === 0 ? `n${index}` : index }));
    const half = await bring({ consumers: many }, '?atomic=false');
    expect(half.body.counts).toMatchObject({ created: 1250, failed: 1250 });
    expect(half.body.validation.errors).toHaveLength(1001);
  }, 60_000);
});
