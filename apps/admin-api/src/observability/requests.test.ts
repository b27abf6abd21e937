import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { findRequests, listedMax } from './find-requests.ts';
import { createObservationIngest } from './observation-ingest.ts';
import { batch, nodeOf, nowMs, record } from './observations.test-support.ts';

const path = '/api/v1/admin/observability/requests';

describeOnEachDatabase('observed requests', (context) => {
  let service: TestService;
  let token: string;
  const at = Date.now() - 60_000;
  const records = [
    record('plain', { occurred_at_ms: at, consumer_id: 'c1', service_id: 's1', route_id: 'r1' }),
    record('twice-a', { request_id: 'twice', occurred_at_ms: at + 1, path: '/first' }),
    record('twice-b', { request_id: 'twice', occurred_at_ms: at + 3, path: '/second', status: 500 }),
    record('slow', {
      occurred_at_ms: at + 2,
      latency_us: 2_500_000,
      method: 'POST',
      path: '/orders/7',
      status: 404,
      plugins: [{ name: 'ai_proxy', stage: 'request', outcome: 'respond', duration_us: 2_400_000 }],
      ai: { model: 'm-1', outcome: 'ok' },
    }),
    record('odd', { occurred_at_ms: at + 4, path: '/orders%_', request_id: '../x' }),
  ];

  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const tenantId of ['acme', 'globex']) await service.addTenant(tenantId);
    token = await service.addUser('acme', 'reader', 'reader');
    const ingest = createObservationIngest(context.database(), Date.now);
    await ingest(nodeOf('acme'), batch(1, { records }));
    await ingest(nodeOf('globex'), batch(1, { records: [record('foreign', { occurred_at_ms: at })] }));
  });
  afterAll(() => service.stop());

  const idsFor = async (query: string): Promise<string[]> => {
    const { status, body } = await service.call('GET', `${path}?${query}`, undefined, { token });
    expect(status).toBe(200);
    return body.items.map(({ id }: { id: string }) => id);
  };

  it('are found by every filter, newest first', async () => {
    expect(await idsFor('')).toEqual(['odd', 'twice-b', 'slow', 'twice-a', 'plain']);
    expect(await idsFor('gateway_id=g')).toHaveLength(5);
    expect(await idsFor('gateway_id=other')).toEqual([]);
    expect(await idsFor('route_id=r1')).toEqual(['plain']);
    expect(await idsFor('service_id=s1')).toEqual(['plain']);
    expect(await idsFor('consumer_id=c1')).toEqual(['plain']);
    expect(await idsFor('status=500')).toEqual(['twice-b']);
    expect(await idsFor('status=4xx')).toEqual(['slow']);
    expect(await idsFor('method=POST')).toEqual(['slow']);
    expect(await idsFor('method=post')).toEqual(['slow']);
    expect(await idsFor('path_prefix=/orders%25_')).toEqual(['odd']);
    expect(await idsFor('path_prefix=/orders')).toEqual(['odd', 'slow']);
    expect(await idsFor('min_latency_ms=2500')).toEqual(['slow']);
    expect(await idsFor('min_latency_ms=2500.001')).toEqual([]);
    expect(await idsFor('request_id=twice&status=2xx')).toEqual(['twice-a']);
    const time = (offset: number): string => encodeURIComponent(new Date(at + offset).toISOString());
    expect(await idsFor(`from=${time(2)}&to=${time(4)}`)).toEqual(['twice-b', 'slow']);
    expect(await idsFor('limit=2&skip=1')).toEqual(['twice-b', 'slow']);
    const { body } = await service.call('GET', `${path}?status=4xx`, undefined, { token });
    expect(body).toMatchObject({ total: 1, total_exact: true, searched_from: null });
  });

  it('are not looked for from times that are none', async () => {
    for (const name of ['from', 'to']) {
      for (const time of [
        '2024-01-01T00:00:00+05',
        '2024-01-01T00:00:00 05:00',
        '2024-02-31T00:00:00Z',
        '2024-01-01',
      ]) {
        const answer = await service.call('GET', `${path}?${name}=${encodeURIComponent(time)}`, undefined, { token });
        expect(answer, time).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
      }
    }
  });

  it('are shown one by one with their plugin steps, and with how many others have the ID', async () => {
    const one = async (id: string, as = token) =>
      service.call('GET', `${path}/${encodeURIComponent(id)}`, undefined, { token: as });
    const { body } = await one('slow');
    expect(body).toMatchObject({
      id: 'slow',
      request_id: 'slow',
      latency_ms: 2500,
      plugins: [{ name: 'ai_proxy', stage: 'request', outcome: 'respond', duration_ms: 2400 }],
      ai: { model: 'm-1', outcome: 'ok' },
      others: 0,
    });
    expect((await one('twice')).body).toMatchObject({ id: 'twice-b', path: '/second', others: 1 });
    expect((await one('../x')).body).toMatchObject({ id: 'odd' });
    const unknown = await one('none');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const foreign = await one('foreign');
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
    expect((await service.call('GET', `${path}/slow`)).status).toBe(400);
    const named = await service.call('GET', `${path}/foreign?tenant_id=globex`);
    expect(named).toMatchObject({ status: 200, body: { id: 'foreign' } });
  });

  it('are counted as far as lists go', async () => {
    const ingest = createObservationIngest(context.database(), () => nowMs);
    const many = (sequence: number) =>
      batch(sequence, { records: Array.from({ length: 2000 }, (_, index) => record(`${sequence}-${index}`)) });
    for (let sequence = 1; sequence <= 5; sequence += 1) await ingest(nodeOf('huge'), many(sequence));
    const { read } = context.database();
    const page = { skip: listedMax - 1, limit: 2 };
    const full = await findRequests(read, 'huge', { method: 'GET' }, page);
    expect(full).toMatchObject({ total: listedMax, isExact: true });
    expect(full.rows.map(({ id }) => id)).toEqual(['1-0']);
    await ingest(nodeOf('huge'), batch(6, { records: [record('one-more')] }));
    expect(await findRequests(read, 'huge', { method: 'GET' }, page)).toMatchObject({
      total: listedMax,
      isExact: false,
    });
    expect(await findRequests(read, 'huge', { method: 'PUT' }, page)).toMatchObject({
      total: 0,
      isExact: true,
      rows: [],
    });
    const far = await service.call('GET', `${path}?skip=${listedMax + 1}`, undefined, { token });
    expect(far.status).toBe(422);
  });
});
