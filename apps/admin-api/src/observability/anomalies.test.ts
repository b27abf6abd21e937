import { latencyBin, type MinuteCounter } from '@portcullis/resources';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { bucketMinutes } from './find-anomalies.ts';
import { createObservationIngest } from './observation-ingest.ts';
import { batch, counter, nodeOf, watched } from './observations.test-support.ts';
import { gatewaysMax, readAnomalies, routesMax } from './read-anomalies.ts';

const path = '/api/v1/admin/observability/anomalies';
/** Buckets are judged a minute after they are over; this one begins right before the last that is. */
const nowMs = Date.UTC(2026, 5, 1, 12, 6, 30);
const last = Math.floor((nowMs / 60_000 - 1) / bucketMinutes) * bucketMinutes;

describeOnEachDatabase('anomalies of stored traffic', (context) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(context.url(), { nowMs: () => nowMs });
    await service.addTenant('acme');
    await service.addTenant('globex');
  });
  afterAll(() => service.stop());

  const minuteOf = (minute: number, route: string, isBad: boolean): MinuteCounter => ({
    ...counter,
    minute,
    route_id: route,
    requests: 100,
    errors_4xx: 0,
    errors_5xx: isBad ? 40 : 1,
    histogram: [[latencyBin(isBad ? 900_000 : 20_000), 100]],
  });
  const send = async (tenantId: string, counters: MinuteCounter[]): Promise<void> => {
    const ingest = createObservationIngest(context.database(), () => nowMs);
    for (let start = 0; start < counters.length; start += 5000) {
      const sent = batch(1 + start, { counters: counters.slice(start, start + 5000) });
      await ingest(nodeOf(tenantId, `node-${tenantId}`), sent);
    }
  };

  it('are found in the route that has them and in its gateway, once for all their time', async () => {
    const minutes = Array.from({ length: 300 }, (_, index) => last - 1 - index);
    await send('acme', [
      ...minutes.map((minute) => minuteOf(minute, 'well', false)),
      ...minutes.map((minute) => minuteOf(minute, 'ill', minute >= last - 10)),
    ]);
    const { status, body } = await service.call('GET', `${path}?tenant_id=acme&gateway_id=g`);
    expect(status).toBe(200);
    const found = body.items.map((one: { metric: string; scope: { route_id: string | null } }) => [
      one.scope.route_id ?? 'all',
      one.metric,
    ]);
    expect(found.toSorted()).toEqual([
      ['all', 'error_rate'],
      ['all', 'latency_p95_ms'],
      ['ill', 'error_rate'],
      ['ill', 'latency_p95_ms'],
    ]);
    const at = (minute: number): string => new Date(minute * 60_000).toISOString();
    const ill = body.items.find(
      (one: { metric: string; scope: { route_id: string | null } }) =>
        one.scope.route_id === 'ill' && one.metric === 'error_rate',
    );
    expect(ill).toMatchObject({
      detected_at: at(last - 5),
      scope: { gateway_id: 'g' },
      observed: 0.4,
      expected: 0.01,
      window: { from: at(last - 10), to: at(last) },
    });
    expect(body.window).toEqual({ from: at(last - 60), to: at(last) });
    const tenantWide = await service.call('GET', `${path}?tenant_id=acme&window_minutes=180`);
    expect(tenantWide.body.total).toBe(4);
    expect((await service.call('GET', `${path}?tenant_id=globex`)).body.items).toEqual([]);
    expect((await service.call('GET', `${path}?tenant_id=acme&window_minutes=181`)).status).toBe(422);
    expect((await service.call('GET', path)).status).toBe(400);
  });

  it('take a bounded number of queries and rows, however many routes there are', async () => {
    const routes = Array.from({ length: 100 }, (_, index) => `r${index}`);
    const minutes = Array.from({ length: 40 }, (_, index) => last - 1 - index);
    await send(
      'many',
      routes.flatMap((route) => minutes.map((minute) => minuteOf(minute, route, false))),
    );
    const { database, log } = watched(context.database());
    const end = last / bucketMinutes;
    expect(
      await readAnomalies(database.read, { tenantId: 'many', gatewayId: undefined }, { first: end - 12, end }),
    ).toEqual([]);
    expect(log.rowsMax).toBeLessThanOrEqual(250);
    // Eight ranges of a series, in pages.
    expect(log.statements).toBeLessThan((1 + routesMax) * 10 + gatewaysMax);
  });
});
