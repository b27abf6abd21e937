import { deliveredAiRecord } from '@portcullis/resources';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService, type Answer, type TestService } from '../testing/test-service.test-support.ts';
import { applied, readConfiguration, recordsOf, type ReadConfiguration } from './read-configuration.test-support.ts';

describeOnEachDatabase('the AI records in a gateway’s configuration', (context) => {
  let service: TestService;
  const tokens = new Map<string, string>();
  const admin = (tenant: string, method: string, path: string, body?: object): Promise<Answer> =>
    service.call(method, `/api/v1/admin${path}?tenant_id=${tenant}`, body);
  const make = async (tenant: string, path: string, body: object): Promise<Answer['body']> => {
    const answer = await admin(tenant, 'POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const fetchFor = async (gateway: string, have?: ReadConfiguration): Promise<ReadConfiguration> => {
    const since = have ? `?since=${have.head.revision}` : '';
    const answer = await service.call('GET', `/api/v1/data-plane/config${since}`, undefined, {
      token: tokens.get(gateway) ?? '',
      ...(have && { headers: { 'if-none-match': `"${have.head.hash}"` } }),
    });
    expect(answer.status).toBe(200);
    return readConfiguration(answer.body);
  };
  const policy = { kind: 'policy', name: 'free', config: { token_budget: 1000, allowed_models: ['small-*'] } };

  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const [tenant, gateways] of [
      ['acme', ['a1', 'a2']],
      ['globex', ['g1']],
    ] as const) {
      await service.addTenant(tenant);
      for (const id of gateways) {
        await make(tenant, '/gateways', { id, name: id });
        tokens.set(id, (await make(tenant, '/data-planes', { gateway_id: id, name: `node of ${id}` })).token);
      }
    }
  });
  afterAll(() => service.stop());

  it('go to every gateway of the tenant and move it, and to no other tenant', async () => {
    const before = await fetchFor('a1');
    expect([before.head.format, recordsOf(before, 'ai_records')]).toEqual([2, []]);
    const { id } = await make('acme', '/ai-gateway/records', { ...policy, description: 'for operators' });
    for (const gateway of ['a1', 'a2']) {
      const read = await fetchFor(gateway);
      expect([read.head.format, read.head.revision > before.head.revision]).toEqual([4, true]);
      expect(recordsOf(read, 'ai_records').map((record) => v.parse(deliveredAiRecord, record))).toMatchObject([
        { id, ...policy },
      ]);
      expect(JSON.stringify([...read.lines.values()])).not.toContain('for operators');
    }
    const other = await fetchFor('g1');
    expect([other.head.format, recordsOf(other, 'ai_records')]).toEqual([2, []]);
  });

  it('come as deltas when they change and when they go', async () => {
    const first = await fetchFor('a1');
    const id = String(recordsOf(first, 'ai_records')[0]?.['id']);
    await admin('acme', 'PATCH', `/ai-gateway/records/${id}`, { config: { token_budget: 5 } });
    const change = await fetchFor('a1', first);
    expect([change.head.since?.revision, change.head.format]).toEqual([first.head.revision, 4]);
    expect(recordsOf(change, 'ai_records')).toMatchObject([{ id, config: { token_budget: 5 } }]);
    const second = applied(first, change);
    expect((await admin('acme', 'DELETE', `/ai-gateway/records/${id}`)).status).toBe(204);
    const removal = await fetchFor('a1', second);
    expect([removal.lines.size, removal.removed, removal.head.format]).toEqual([0, [`ai_records/${id}`], 4]);
    expect((await fetchFor('a2')).head.format).toBe(2);
  });

  it('of a cache go to gateways, too', async () => {
    const config = { mode: 'hybrid', ttl_seconds: 60 };
    const { id } = await make('globex', '/ai-gateway/records', { kind: 'cache', name: 'default', config });
    const read = await fetchFor('g1');
    expect(recordsOf(read, 'ai_records').map((record) => v.parse(deliveredAiRecord, record))).toMatchObject([
      { id, kind: 'cache', name: 'default', config },
    ]);
    await admin('globex', 'DELETE', `/ai-gateway/records/${id}`);
  });

  it('stay away while no gateway would use them: older gateways go on', async () => {
    const before = await fetchFor('g1');
    const records = '/ai-gateway/records';
    const cache = await make('globex', records, { kind: 'cache', name: 'unused', enabled: false, config: {} });
    const { id } = await make('globex', records, { ...policy, enabled: false });
    const with2 = await fetchFor('g1', before);
    expect([with2.head.format, with2.lines.size, with2.removed]).toEqual([2, 0, []]);
    await admin('globex', 'PATCH', `${records}/${id}`, { enabled: true });
    const enabled = await fetchFor('g1');
    expect([enabled.head.format, recordsOf(enabled, 'ai_records').map((record) => record.id)]).toEqual([4, [id]]);
    await admin('globex', 'PATCH', `${records}/${id}`, { enabled: false });
    await admin('globex', 'DELETE', `${records}/${cache.id}`);
    expect((await fetchFor('g1')).head.format).toBe(2);
    const removal = await fetchFor('g1', enabled);
    expect(removal.removed).toEqual([`ai_records/${id}`]);
  });
});
