import type { RequestRecord } from '@portcullis/resources';
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

const windowMinutes = 5;

describeOnEachDatabase('both ends of a window', (context) => {
  const clock: TestClock = { nowMs: startMs };
  let service: Awaited<ReturnType<typeof startSloService>>;
  let tenantId = '';
  let tenants = 0;
  beforeAll(async () => {
    service = await startSloService(context.url(), clock);
  });
  beforeEach(async () => {
    tenantId = `ends-${(tenants += 1)}`;
    await service.addTenant(tenantId);
    await service.ok('POST', '/api/v1/admin/gateways', { tenant_id: tenantId, id: 'edge', name: 'edge' });
  });
  afterAll(() => service.stop());

  /** Requests of one minute, of which some failed; records of some of them. */
  const send = async (atMs: number, requests: number, failed: number, recordedMs: readonly [number, number][]) => {
    const counter = minuteCounter(atMs, { requests, errors_5xx: failed });
    const records = recordedMs.map(([occurredMs, status], index) => recordOf(occurredMs, status, index));
    await report(context.database(), clock, { tenantId, gatewayId: 'edge' }, { counters: [counter], records });
  };
  const evaluate = async () => {
    const fields = { evaluation_window_minutes: windowMinutes, gateway_id: 'edge' };
    const { id } = (await service.ok('POST', slosPath, availability(tenantId, fields))).body;
    return (await service.ok('POST', `${slosPath}/${id}/evaluate?tenant_id=${tenantId}`)).body.evaluation;
  };

  it('leaves out what a clock that is ahead has counted already', async () => {
    await send(startMs, 1, 1, [[startMs + 20_000, 500]]);
    expect(await evaluate()).toMatchObject({ total_events: 0, state: 'no_data', exact: true });
    await send(startMs, 2, 1, [
      [startMs - 1, 200],
      [startMs, 503],
    ]);
    expect(await evaluate()).toMatchObject({ total_events: 2, bad_events: 1, exact: true, burn_rates: { '5m': 50 } });
  });

  it('says how far its counts are open when records of after now are there, and not of all requests', async () => {
    await send(startMs - 120_000, 1000, 0, []);
    await send(startMs, 10, 4, [[startMs + 1, 500]]);
    expect(await evaluate()).toMatchObject({
      total_events: 1010,
      total_events_bounds: [1000, 1010],
      bad_events: 4,
      bad_events_bounds: [0, 4],
      exact: false,
    });
  });

  it('takes the last minute as it is when no record shows that a clock is ahead', async () => {
    await send(startMs, 10, 4, [[startMs - 1, 500]]);
    expect(await evaluate()).toMatchObject({ total_events: 10, bad_events: 4, exact: true });
  });

  it('splits the first minute only by records of every request', async () => {
    const fromMs = startMs - windowMinutes * 60_000;
    await send(fromMs, 2, 1, [[fromMs + 1, 500]]);
    expect(await evaluate()).toMatchObject({ total_events: 2, total_events_bounds: [0, 2], exact: false });
    await send(fromMs, 0, 0, [[fromMs, 200]]);
    expect(await evaluate()).toMatchObject({ total_events: 1, bad_events: 1, exact: true });
  });
});

function recordOf(occurredMs: number, status: number, index: number): RequestRecord {
  const id = `record-${occurredMs}-${index}`;
  return {
    id,
    request_id: id,
    occurred_at_ms: occurredMs,
    method: 'GET',
    path: '/',
    status,
    status_source: 'upstream',
    latency_us: 1000,
    gateway_latency_us: 0,
    request_bytes: 0,
    response_bytes: 0,
    client_ip: '192.0.2.1',
    plugins: [],
  };
}
