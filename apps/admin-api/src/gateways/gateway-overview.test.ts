import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService, type TestService } from '../testing/test-service.test-support.ts';

const admin = '/api/v1/admin';

describeOnEachDatabase('a gateway at a glance', (context) => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const tenantId of ['acme', 'globex']) {
      await service.addTenant(tenantId);
      await made('/gateways', { tenant_id: tenantId, id: 'edge', name: 'edge' });
    }
    token = await service.addUser('acme', 'reader', 'reader');
  });
  afterAll(() => service.stop());

  // oxlint-disable-next-line no-explicit-any -- tests look into answers of every shape
  const made = async (path: string, body: object): Promise<any> => {
    const answer = await service.call('POST', `${admin}${path}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const get = (path: string, as = token) => service.call('GET', `${admin}/gateways/${path}`, undefined, { token: as });

  it('is empty at first', async () => {
    const { status, body } = await get('edge/overview');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      gateway_id: 'edge',
      counts: { services: 0, routes: 0, data_planes: 0 },
      traffic: { totals: { requests: 0, error_rate: 0, latency_ms: { p95: null } } },
      data_planes: { online: 0, stale: 0, offline: 0 },
      targets: { healthy: 0, unknown: 0 },
      certificates: { expired: 0, expiring: 0, cut: false, items: [] },
    });
    expect((await get('edge/traffic/recent')).body).toMatchObject({ series: [], items: [] });
  });

  it('says what it has, how its data planes and targets are, and what went through', async () => {
    const inTenant = { tenant_id: 'acme' };
    const upstream = await made('/gateways/edge/upstreams', { ...inTenant, name: 'backend' });
    const targets: string[] = [];
    for (const target of ['10.0.0.1:80', '10.0.0.2:80', '10.0.0.3:80']) {
      const record = await made('/gateways/edge/targets', { ...inTenant, target, upstream_id: upstream.id });
      targets.push(record.id);
    }
    await made('/gateways/edge/services', { ...inTenant, name: 'api', upstream_id: upstream.id });
    // Of the same ID in another tenant.
    await made('/gateways/edge/services', { tenant_id: 'globex', name: 'api', url: 'http://a.test' });
    const node = await made('/data-planes', { ...inTenant, gateway_id: 'edge', name: 'online' });
    await made('/data-planes', { ...inTenant, gateway_id: 'edge', name: 'never-seen' });
    const say = async (path: string, body: object): Promise<void> => {
      const { status } = await service.call('POST', `/api/v1/data-plane/${path}`, body, { token: node.token });
      expect(status).toBe(202);
    };
    const health = (index: number, state: string) => ({
      target_id: targets[index],
      address: `10.0.0.${index + 1}`,
      health: state,
      since_ms: Date.now(),
    });
    await say('heartbeat', {
      version: '0.1.0',
      hostname: 'a.test',
      plugin_versions: {},
      uptime_seconds: 1,
      targets: [health(0, 'HEALTHY'), health(1, 'UNHEALTHY')],
    });
    const now = Date.now();
    await say('observations', {
      boot_id: crypto.randomUUID(),
      sequence: 1,
      dropped_records: 0,
      counters: [
        {
          minute: Math.floor(now / 60_000),
          requests: 4,
          errors_4xx: 0,
          errors_5xx: 1,
          latency_sum_us: 400,
          request_bytes: 4,
          response_bytes: 8,
          statuses: [
            [200, 3],
            [503, 1],
          ],
          histogram: [[100, 4]],
          over: [],
        },
      ],
      records: ['one', 'two', 'three'].map((id, index) => ({
        id,
        request_id: id,
        occurred_at_ms: now + index,
        method: 'GET',
        path: '/a',
        status: 200,
        status_source: 'upstream',
        latency_us: 100,
        gateway_latency_us: 10,
        request_bytes: 1,
        response_bytes: 2,
        client_ip: '192.0.2.1',
        plugins: [],
      })),
    });
    const { body } = await get('edge/overview');
    expect(body).toMatchObject({
      counts: { services: 1, upstreams: 1, targets: 3, routes: 0, data_planes: 2 },
      traffic: { totals: { requests: 4, errors_5xx: 1, error_rate: 0.25, latency_ms: { avg: 0.1 } } },
      data_planes: { online: 1, stale: 0, offline: 1 },
      targets: { healthy: 1, unhealthy: 1, dns_error: 0, healthchecks_off: 0, unknown: 1 },
    });
    const recent = await get('edge/traffic/recent?limit=2&minutes=120');
    expect(recent.body.items.map((one: { id: string }) => one.id)).toEqual(['three', 'two']);
    expect(recent.body.series).toMatchObject([{ requests: 4, errors_5xx: 1 }]);
    const foreign = await get('edge/overview?tenant_id=globex', service.token);
    expect(foreign.body).toMatchObject({ counts: { services: 1, targets: 0 }, traffic: { totals: { requests: 0 } } });
  });

  it('is for who may read its tenant, and unknown to others', async () => {
    for (const path of ['overview', 'traffic/recent']) {
      expect((await get(`edge/${path}?tenant_id=globex`)).status).toBe(403);
      expect((await get(`edge/${path}`, service.token)).status).toBe(400);
      expect(await get(`none/${path}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    expect((await get('edge/traffic/recent?minutes=121')).status).toBe(422);
  });
});
