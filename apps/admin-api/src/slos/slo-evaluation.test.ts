import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import {
  availability,
  minuteCounter,
  report,
  slosPath,
  startMs,
  startSloService,
  type TestClock,
} from './slo-world.test-support.ts';

describeOnEachDatabase('objectives', (context) => {
  const clock: TestClock = { nowMs: startMs };
  let service: Awaited<ReturnType<typeof startSloService>>;
  let tenantId = '';
  let tenants = 0;
  const create = async (fields: object = {}): Promise<string> =>
    (await service.ok('POST', slosPath, availability(tenantId, fields))).body.id;
  const at = (id: string, rest = ''): string => `${slosPath}/${id}${rest}?tenant_id=${tenantId}`;
  const evaluate = async (id: string) => (await service.ok('POST', at(id, '/evaluate'))).body;
  const traffic = (requests: number, failed: number, fields: { atMs?: number; gatewayId?: string } = {}) => {
    const counter = minuteCounter(fields.atMs ?? clock.nowMs - 60_000, { requests, errors_5xx: failed });
    return report(
      context.database(),
      clock,
      { tenantId, gatewayId: fields.gatewayId ?? 'edge' },
      { counters: [counter] },
    );
  };

  beforeAll(async () => {
    service = await startSloService(context.url(), clock);
  });
  beforeEach(async () => {
    clock.nowMs = startMs;
    tenantId = `objectives-${(tenants += 1)}`;
    await service.addTenant(tenantId);
    for (const id of ['edge', 'inner'])
      await service.ok('POST', `/api/v1/admin/gateways`, { tenant_id: tenantId, id, name: id });
  });
  afterAll(() => service.stop());

  it('shows an objective with all defaults, and no data before the first evaluation', async () => {
    const answer = await service.ok('POST', slosPath, {
      tenant_id: tenantId,
      name: 'plain',
      objective: { type: 'availability', target_percent: 99.9 },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      tenant_id: tenantId,
      name: 'plain',
      evaluation_window_minutes: 10_080,
      alert_policy: { enabled: true, warning_burn_rate: 1, critical_burn_rate: 2 },
      enabled: true,
      evaluation: null,
      alert: {
        state: 'no_data',
        since: null,
        acknowledged: false,
        acknowledged_by: null,
        acknowledged_at: null,
        note: null,
      },
      created_at: new Date(startMs).toISOString(),
    });
    expect((await service.ok('GET', at(answer.body.id))).body).toEqual(answer.body);
    expect((await service.ok('GET', `${slosPath}?tenant_id=${tenantId}`)).body.items).toEqual([answer.body]);
  });

  it('judges what was counted, at exactly the rates too', async () => {
    const id = await create();
    expect(await evaluate(id)).toMatchObject({
      evaluation: {
        state: 'no_data',
        burn_rate: null,
        total_events: 0,
        observed: { first: null, last: null },
        exact: true,
      },
      alert: { state: 'no_data', since: new Date(startMs).toISOString() },
    });
    await traffic(1000, 9);
    expect(await evaluate(id)).toMatchObject({
      evaluation: {
        state: 'healthy',
        burn_rate: 0.9,
        total_events: 1000,
        bad_events: 9,
        good_events: 991,
        allowed_bad_events: 10,
        error_budget_remaining_percent: 10,
        window: { from: new Date(startMs - 3_600_000).toISOString(), to: new Date(startMs).toISOString() },
        observed: { first: '2026-05-20T10:29:00.000Z', last: '2026-05-20T10:29:59.999Z' },
        exact: true,
        source: 'counters',
        dropped_late: 0,
        burn_rates: { '5m': 0.9, '30m': 0.9, '1h': 0.9, '6h': 0.9, '1d': 0.9, '3d': 0.9 },
        evaluated_at: new Date(startMs).toISOString(),
      },
      alert: { state: 'healthy' },
    });
    await traffic(0, 0);
    await traffic(100, 2);
    expect((await evaluate(id)).alert.state).toBe('warning');
    await traffic(100, 13);
    const last = await evaluate(id);
    expect(last).toMatchObject({ evaluation: { state: 'critical', burn_rate: 2 }, alert: { state: 'critical' } });
    expect((await service.ok('GET', at(id))).body).toEqual(last);
  });

  it('covers a gateway or the whole tenant, and only those', async () => {
    const [edge, all] = [await create({ gateway_id: 'edge' }), await create()];
    await traffic(100, 0, { gatewayId: 'edge' });
    await traffic(100, 50, { gatewayId: 'inner' });
    const one = (await service.ok('POST', `${slosPath}/evaluate?tenant_id=${tenantId}&gateway_id=edge`)).body;
    expect(one.items).toEqual([expect.objectContaining({ id: edge, name: 'checkout answers' })]);
    expect(one.items[0].evaluation).toMatchObject({ total_events: 100, bad_events: 0, state: 'healthy' });
    const both = (await service.ok('POST', `${slosPath}/evaluate`, { tenant_id: tenantId })).body;
    expect(both).toMatchObject({ evaluated_at: new Date(startMs).toISOString() });
    expect(
      Object.fromEntries(both.items.map((item: never) => [item['id'], item['evaluation']['total_events']])),
    ).toEqual({
      [edge]: 100,
      [all]: 200,
    });
    const body = { tenant_id: tenantId, gateway_id: 'edge' };
    expect((await service.ok('POST', `${slosPath}/evaluate`, body)).body.items).toHaveLength(1);
    const contradicting = await service.call(
      'POST',
      `${slosPath}/evaluate?tenant_id=${tenantId}&gateway_id=inner`,
      body,
    );
    expect(contradicting.status).toBe(422);
  });

  it('shows requests that came in too late to be counted, and those of its gateway only', async () => {
    const ids = [await create(), await create({ gateway_id: 'edge' }), await create({ gateway_id: 'inner' })];
    await traffic(7, 7, { atMs: clock.nowMs - 100 * 86_400_000, gatewayId: 'edge' });
    await traffic(10, 0, { gatewayId: 'edge' });
    const found = [];
    for (const id of ids) found.push((await evaluate(id)).evaluation);
    expect(found.map((one) => [one.dropped_late, one.total_events])).toEqual([
      [7, 10],
      [7, 10],
      [0, 0],
    ]);
  });

  it('is healthy with data and off without alerts; without data nothing makes it healthy', async () => {
    const ids = [await create({ enabled: false }), await create({ alert_policy: { enabled: false } })];
    for (const id of ids) expect((await evaluate(id)).alert.state).toBe('no_data');
    await traffic(10, 10);
    for (const id of ids)
      expect(await evaluate(id)).toMatchObject({ alert: { state: 'healthy' }, evaluation: { burn_rate: 100 } });
  });

  it('acknowledges what alerts, until the state changes', async () => {
    const id = await create();
    const acknowledge = (body: object) => service.call('POST', `${slosPath}/${id}/acknowledge`, body);
    const refused = await acknowledge({ tenant_id: tenantId, note: 'too early' });
    expect([refused.status, refused.body.code]).toEqual([409, 'invalid_state']);
    await traffic(100, 50);
    await evaluate(id);
    clock.nowMs += 1000;
    const done = await acknowledge({ tenant_id: tenantId, note: 'rolling back' });
    const acknowledged = {
      state: 'critical',
      acknowledged: true,
      acknowledged_by: 'admin',
      acknowledged_at: new Date(clock.nowMs).toISOString(),
      note: 'rolling back',
    };
    expect([done.status, done.body.alert]).toEqual([200, { ...acknowledged, since: new Date(startMs).toISOString() }]);
    clock.nowMs += 1000;
    expect((await evaluate(id)).alert).toMatchObject(acknowledged);
    await traffic(100_000, 0);
    expect((await evaluate(id)).alert).toMatchObject({ state: 'healthy', acknowledged: false, note: null });
    expect((await acknowledge({ tenant_id: tenantId })).status).toBe(409);
    const { items } = (await service.ok('GET', at(id, '/timeline'))).body;
    expect(items.map(({ type, from_state: from, to_state: to }: Record<string, string>) => [type, from, to])).toEqual([
      ['transition', 'critical', 'healthy'],
      ['acknowledged', 'critical', 'critical'],
      ['transition', 'no_data', 'critical'],
      ['created', null, 'no_data'],
    ]);
    expect(items[1]).toMatchObject({ slo_id: id, actor: 'admin', note: 'rolling back', evaluation: null });
    expect(items[0].evaluation.state).toBe('healthy');
  });

  it('lists a timeline newest first also within one millisecond, bounded as its limit says', async () => {
    const id = await create();
    for (let step = 1; step <= 5; step += 1) await service.ok('PATCH', at(id), { description: `step ${step}` });
    await service.ok('PATCH', at(id), { description: 'step 5' });
    const list = async (query: string) => (await service.call('GET', `${at(id, '/timeline')}${query}`)).body;
    const newest = await list('');
    expect(newest.items.map(({ type }: { type: string }) => type)).toEqual([...Array(5).fill('updated'), 'created']);
    expect((await list('&sort_direction=asc')).items).toEqual(newest.items.toReversed());
    expect((await list('&limit=2')).items).toEqual(newest.items.slice(0, 2));
    expect(new Set(newest.items.map(({ id: own }: { id: string }) => own)).size).toBe(6);
    expect([(await list('&limit=501')).status, (await list('&limit=0')).status]).toEqual([422, 422]);
    expect((await list('&sort_direction=up')).status).toBe(422);
  });

  it('takes its state, timeline and alerts along when it is deleted, and keeps its gateway', async () => {
    const id = await create({ gateway_id: 'edge' });
    const gateway = `/api/v1/admin/gateways/edge?tenant_id=${tenantId}`;
    const kept = await service.call('DELETE', gateway);
    expect([kept.status, kept.body.code]).toEqual([409, 'referenced_by_others']);
    expect((await service.call('DELETE', at(id))).status).toBe(204);
    for (const rest of ['', '/timeline']) expect((await service.call('GET', at(id, rest))).status).toBe(404);
    for (const rest of ['/evaluate', '/acknowledge'])
      expect((await service.call('POST', at(id, rest))).status).toBe(404);
    expect((await service.call('DELETE', gateway)).status).toBe(204);
    const left = await context
      .database()
      .read.selectFrom('slo_timeline')
      .selectAll()
      .where('slo_id', '=', id)
      .execute();
    expect(left).toEqual([]);
  });
});
