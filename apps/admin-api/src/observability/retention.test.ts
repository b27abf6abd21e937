import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { createObservationIngest } from './observation-ingest.ts';
import { batch, counter, nodeOf, record, watched } from './observations.test-support.ts';
import { createObservationPruning, rowsPerStep } from './prune-observations.ts';
import { dayMs, minuteDays } from './retention-rules.ts';

const path = '/api/v1/admin/observability/retention';

describeOnEachDatabase('retention of observations', (context) => {
  let service: TestService;
  let writer: string;
  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const tenantId of ['acme', 'globex']) await service.addTenant(tenantId);
    writer = await service.addUser('acme', 'writer', 'writer');
  });
  afterAll(() => service.stop());

  it('is everyone’s until a tenant sets its own, which is audited', async () => {
    const get = async () => (await service.call('GET', path, undefined, { token: writer })).body;
    expect(await get()).toEqual({ tenant_id: 'acme', request_days: 7, rollup_days: 90 });
    const put = (body: object, token = writer) => service.call('PUT', path, body, { token });
    const wanted = { request_days: 2, rollup_days: 40 };
    expect(await put({ tenant_id: 'acme', ...wanted })).toMatchObject({ status: 200, body: wanted });
    expect(await put(wanted)).toMatchObject({ status: 200 });
    expect(await get()).toEqual({ tenant_id: 'acme', ...wanted });
    const admin = await service.addUser('acme', 'admin', 'admin');
    const audits = await service.call('GET', '/api/v1/admin/audits/?entity=observation_retention', undefined, {
      token: admin,
    });
    expect(audits.body.items).toHaveLength(1);
    expect(audits.body.items[0]).toMatchObject({
      action: 'update',
      entity_id: 'acme',
      before: { request_days: 7, rollup_days: 90 },
      after: wanted,
    });
  });

  it('is changed only as it was read, where that is asked for, and never by what is left out', async () => {
    const options = { token: await service.addUser('globex', 'careful', 'writer') };
    const etag = (await service.call('GET', path, undefined, options)).headers.get('etag');
    const put = (days: object, match: string | null) =>
      service.call('PUT', path, days, { ...options, headers: { 'if-match': match ?? '' } });
    const changed = await put({ request_days: 3, rollup_days: 800 }, etag);
    expect(changed).toMatchObject({ status: 200, body: { rollup_days: 800 } });
    expect(changed.headers.get('etag')).not.toBe(etag);
    expect(await put({ request_days: 3, rollup_days: 30 }, etag)).toMatchObject({ status: 412 });
    for (const days of [{}, { request_days: 7 }, { rollup_days: 30 }]) {
      expect(await put(days, '*')).toMatchObject({ status: 422 });
    }
    expect((await service.call('GET', path, undefined, options)).body).toMatchObject({ rollup_days: 800 });
    expect(await put({ request_days: 7, rollup_days: 90 }, changed.headers.get('etag'))).toMatchObject({ status: 200 });
  });

  it('has bounds, and is a tenant’s own', async () => {
    const put = (body: object, token = writer) => service.call('PUT', path, body, { token });
    for (const days of [0, 91, 1.5, '7', null])
      expect((await put({ request_days: days, rollup_days: 90 })).status, `${days}`).toBe(422);
    for (const days of [0, 801])
      expect((await put({ request_days: 7, rollup_days: days })).status, `${days}`).toBe(422);
    expect((await put({ request_days: 7, rollup_days: 90, months: 1 })).status).toBe(422);
    expect(await put({ tenant_id: 'globex', request_days: 1, rollup_days: 90 })).toMatchObject({ status: 403 });
    const reader = await service.addUser('acme', 'reader', 'reader');
    expect((await put({ request_days: 1, rollup_days: 90 }, reader)).status).toBe(403);
    expect((await service.call('PUT', path, { request_days: 1, rollup_days: 90 })).status).toBe(400);
  });

  it('is what each tenant’s observations are pruned by, a bounded number of rows at a time', async () => {
    const now = Date.now();
    const rule = { tenant_id: 'acme', request_days: 1, rollup_days: 10 };
    expect((await service.call('PUT', path, rule)).status).toBe(200);
    const minuteOf = (days: number): number => Math.floor((now - days * dayMs) / 60_000);
    const ages = [0.5, 1.5, 8, 9.5, 11, 36, 95];
    for (const [index, tenantId] of ['acme', 'globex'].entries()) {
      for (const [sequence, days] of ages.entries()) {
        const ingest = createObservationIngest(context.database(), () => now - days * dayMs);
        const sent = {
          counters: [{ ...counter, minute: minuteOf(days) }],
          records: Array.from({ length: sequence === 1 ? 1500 : 1 }, (_, at) =>
            record(`${days}-${at}`, { occurred_at_ms: now - days * dayMs }),
          ),
        };
        await ingest(nodeOf(tenantId), batch(index * 100 + sequence + 1, sent));
      }
    }
    const { database, log } = watched(context.database());
    const pruning = createObservationPruning(database);
    for (let run = 0; run < 3; run += 1) await pruning.run(now);
    // The service prunes as well, and may have come first.
    expect(log.changedMax).toBeLessThanOrEqual(rowsPerStep);
    const { read } = context.database();
    const kept = async (tenantId: string) => {
      const records = await read
        .selectFrom('observation_records')
        .select('occurred_at')
        .distinct()
        .where('tenant_id', '=', tenantId)
        .execute();
      const counters = await read
        .selectFrom('observation_counters')
        .select(['grain', 'minute'])
        .where('tenant_id', '=', tenantId)
        .execute();
      const agesOf = (grain: string) =>
        ages.filter((days) => {
          const minute = minuteOf(days);
          const start = grain.endsWith('hour') ? minute - (minute % 60) : minute;
          return counters.some((row) => row.grain === grain && row.minute === start);
        });
      return {
        records: ages.filter((days) => records.some((row) => row.occurred_at === Math.floor(now - days * dayMs))),
        route_minute: agesOf('route_minute'),
        gateway_minute: agesOf('gateway_minute'),
        gateway_hour: agesOf('gateway_hour'),
      };
    };
    expect(minuteDays).toEqual({ gateway: 35, route: 9 });
    expect(await kept('acme')).toEqual({
      records: [0.5],
      route_minute: [0.5, 1.5, 8],
      gateway_minute: [0.5, 1.5, 8, 9.5],
      gateway_hour: [0.5, 1.5, 8, 9.5],
    });
    expect(await kept('globex')).toEqual({
      records: [0.5, 1.5],
      route_minute: [0.5, 1.5, 8],
      gateway_minute: [0.5, 1.5, 8, 9.5, 11],
      gateway_hour: [0.5, 1.5, 8, 9.5, 11, 36],
    });
    // What is older than the tenant keeps is not counted any more, but kept count of.
    const late = batch(900, { counters: [{ ...counter, minute: minuteOf(11) }] });
    const ingest = createObservationIngest(context.database(), () => now);
    for (const tenantId of ['acme', 'globex']) await ingest(nodeOf(tenantId), late);
    const drops = await read.selectFrom('observation_drops').select(['tenant_id', 'dropped_late']).execute();
    expect(drops).toEqual([{ tenant_id: 'acme', dropped_late: 3 }]);
  }, 60_000);
});
