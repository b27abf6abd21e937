import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfiguration, recordsOf } from '../data-planes/read-configuration.test-support.ts';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { availability, slosPath, startMs, startSloService } from './slo-world.test-support.ts';

describeOnEachDatabase('latency thresholds', (context) => {
  let service: Awaited<ReturnType<typeof startSloService>>;
  const tokens = new Map<string, string>();
  const admin = '/api/v1/admin';
  const configuration = async (gateway: string) => {
    const answer = await service.call('GET', '/api/v1/data-plane/config', undefined, {
      token: tokens.get(gateway) ?? '',
    });
    const read = readConfiguration(answer.body);
    return { revision: read.head.revision, thresholds: recordsOf(read, 'gateway')[0]?.['latency_thresholds_us'] };
  };
  const latency = (tenant: string, thresholdMs: number, fields: object = {}) =>
    availability(tenant, {
      objective: { type: 'latency', target_percent: 99, latency_threshold_ms: thresholdMs },
      ...fields,
    });
  const make = async (body: object): Promise<string> => (await service.ok('POST', slosPath, body)).body.id;

  beforeAll(async () => {
    service = await startSloService(context.url(), { nowMs: startMs });
    for (const [tenant, gateways] of [
      ['acme', ['edge', 'inner']],
      ['full', ['wide']],
    ] as const) {
      await service.addTenant(tenant);
      for (const id of gateways) {
        await service.ok('POST', `${admin}/gateways`, { tenant_id: tenant, id, name: id });
        const node = { tenant_id: tenant, gateway_id: id, name: id };
        tokens.set(id, (await service.ok('POST', `${admin}/data-planes`, node)).body.token);
      }
    }
  });
  afterAll(() => service.stop());

  it('go to the gateway of the objective, or to all of the tenant, and move only those', async () => {
    const before = [await configuration('edge'), await configuration('inner')];
    expect(before.map(({ thresholds }) => thresholds)).toEqual([undefined, undefined]);
    const own = await make(latency('acme', 250.5, { gateway_id: 'edge' }));
    const [edge, inner] = [await configuration('edge'), await configuration('inner')];
    expect([edge.thresholds, inner]).toEqual([[250_500], before[1]]);
    expect(edge.revision).toBeGreaterThan(before[0]?.revision ?? 0);
    const shared = await make(latency('acme', 0.0015));
    expect((await configuration('edge')).thresholds).toEqual([1, 250_500]);
    expect((await configuration('inner')).thresholds).toEqual([1]);
    await make(latency('acme', 1e9));
    expect((await configuration('inner')).thresholds).toEqual([1, 86_400_000_000]);
    const change = (id: string, body: object) => service.ok('PATCH', `${slosPath}/${id}?tenant_id=acme`, body);
    const unchanged = await configuration('edge');
    await change(own, { description: 'nothing that gateways do', evaluation_window_minutes: 5 });
    expect(await configuration('edge')).toEqual(unchanged);
    await change(own, { objective: { latency_threshold_ms: 100 }, gateway_id: 'inner' });
    expect((await configuration('edge')).thresholds).toEqual([1, 86_400_000_000]);
    expect((await configuration('inner')).thresholds).toEqual([1, 100_000, 86_400_000_000]);
    await change(own, { objective: { type: 'availability', latency_threshold_ms: null } });
    expect((await configuration('inner')).thresholds).toEqual([1, 86_400_000_000]);
    await service.call('DELETE', `${slosPath}/${shared}?tenant_id=acme`);
    expect((await configuration('edge')).thresholds).toEqual([86_400_000_000]);
  });

  it('are sixty-four for one gateway, whoever’s they are; the same one twice is one', async () => {
    for (let index = 1; index <= 60; index += 1) await make(latency('full', index, { gateway_id: 'wide' }));
    for (let index = 61; index <= 64; index += 1) await make(latency('full', index));
    const same = await make(latency('full', 7));
    const refused = async (answer: Promise<{ status: number; body: Record<string, never> }>) => {
      const { status, body } = await answer;
      expect([status, body['errors']?.[0]?.['pointer']]).toEqual([422, '/objective/latency_threshold_ms']);
    };
    await refused(service.call('POST', slosPath, latency('full', 65)));
    await refused(service.call('POST', slosPath, latency('full', 65, { gateway_id: 'wide' })));
    const wider = { objective: { latency_threshold_ms: 66 } };
    await refused(service.call('PATCH', `${slosPath}/${same}?tenant_id=full`, wider));
    expect((await configuration('wide')).thresholds).toHaveLength(64);
    await service.ok('PATCH', `${slosPath}/${same}?tenant_id=full`, { objective: { latency_threshold_ms: 64 } });
  });
});
