import type { ReportedTarget } from '@portcullis/resources';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { password, startTestService } from '../testing/test-service.test-support.ts';
import type { TestService } from '../testing/test-service.test-support.ts';
import { healthAtNode } from './health-order.ts';
import { healthByTarget, shownNodeHealthMax } from './target-health.ts';

const sinceMs = Date.UTC(2026, 0, 2);
const reported = (targetId: string, health: ReportedTarget['health'], address = '10.0.0.1:80'): ReportedTarget => ({
  target_id: targetId,
  address,
  health,
  since_ms: sinceMs,
});

describe('the health of a target', () => {
  const node = (dataPlaneId: string, ...states: readonly ReportedTarget['health'][]) => ({
    dataPlaneId,
    dataPlaneName: `name of ${dataPlaneId}`,
    targetId: 't1',
    health: healthAtNode(states.map((health) => ({ health }))),
    addresses: states.map((health, index) => ({ address: `10.0.0.${index}:80`, health, since_ms: sinceMs })),
  });
  const of = (...reports: readonly ReturnType<typeof node>[]) => healthByTarget(reports).get('t1');

  it.each([
    [['HEALTHY', 'UNHEALTHY', 'DNS_ERROR'], 'UNHEALTHY'],
    [['HEALTHCHECKS_OFF', 'HEALTHY', 'DNS_ERROR'], 'DNS_ERROR'],
    [['HEALTHCHECKS_OFF', 'HEALTHY'], 'HEALTHY'],
    [['HEALTHCHECKS_OFF'], 'HEALTHCHECKS_OFF'],
  ] as const)('of data planes that say %j the worst counts', (states, worst) => {
    const shown = of(...states.map((health, index) => node(`n${index}`, health)));
    expect(shown?.health).toBe(worst);
    expect(shown?.data_plane_health[0]).toMatchObject({ health: worst, since: '2026-01-02T00:00:00.000Z' });
    expect(shown?.data_plane_health).toHaveLength(states.length);
  });

  it('is that of a usable address, while its data plane knows one', () => {
    const partly = of(node('n1', 'UNHEALTHY', 'HEALTHY'), node('n2', 'HEALTHY'));
    expect([partly?.health, partly?.data_plane_health[0]?.health]).toEqual(['HEALTHY', 'UNHEALTHY']);
    expect(of(node('n1', 'UNHEALTHY', 'HEALTHY'), node('n2', 'UNHEALTHY', 'UNHEALTHY'))?.health).toBe('UNHEALTHY');
    expect(healthByTarget([]).size).toBe(0);
  });

  it('is shown with a bounded list, of which the worst are part', () => {
    const many = Array.from({ length: 500 }, (_, index) => (index === 499 ? 'UNHEALTHY' : 'HEALTHY'));
    const shown = of(node('n', ...many));
    expect([shown?.data_plane_health[0]?.health, shown?.data_plane_health.length]).toEqual([
      'UNHEALTHY',
      shownNodeHealthMax,
    ]);
  });
});

interface Shown {
  readonly health: string | null;
  readonly data_plane_health: readonly { data_plane_name: string; health: string; address: string }[];
}

describeOnEachDatabase('what data planes say of targets', (context) => {
  let service: TestService;
  let token = '';
  const nodes: Record<string, Record<string, string>> = {};

  const send = (method: string, path: string, bearer: string, body?: unknown): Promise<Response> =>
    fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const admin = async <T>(method: string, path: string, body?: object, tenant = 'acme'): Promise<T> => {
    const answer = await send(method, `/api/v1/admin${path}?tenant_id=${tenant}`, token, body);
    const text = await answer.text();
    expect(answer.ok, text).toBe(true);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  const beat = async (node: string, targets?: readonly ReportedTarget[], circuits?: unknown): Promise<number> => {
    const own = { version: '0.1.0', hostname: 'h', plugin_versions: {}, uptime_seconds: 1 };
    const body = { ...own, ...(targets && { targets }), ...(circuits !== undefined && { circuits }) };
    return (await send('POST', '/api/v1/data-plane/heartbeat', nodes[node]?.['token'] ?? '', body)).status;
  };
  const target = (id = 't1', tenant = 'acme') => admin<Shown>('GET', `/gateways/g1/targets/${id}`, undefined, tenant);

  beforeAll(async () => {
    service = await startTestService(context.url());
    const login = await send('POST', '/auth/login', '', { username: 'admin', password });
    token = ((await login.json()) as { access_token: string }).access_token;
    for (const tenant of ['acme', 'other']) {
      await send('POST', '/api/v1/admin/tenants', token, { name: tenant, slug: tenant });
      for (const gateway of ['g1', 'g2']) {
        await admin('POST', '/gateways', { id: gateway, name: gateway }, tenant);
        const node = { gateway_id: gateway, name: `${gateway}-node` };
        nodes[`${tenant}-${gateway}`] = await admin('POST', '/data-planes', node, tenant);
      }
      await admin('POST', '/gateways/g1/upstreams', { id: 'u1', name: 'pool' }, tenant);
      const record = { id: 't1', upstream_id: 'u1', host: '10.0.0.1', port: 80 };
      await admin('POST', '/gateways/g1/targets', record, tenant);
    }
    await admin('POST', '/gateways/g1/targets', { id: 't2', upstream_id: 'u1', host: 'b.test', port: 80 });
    nodes['acme-second'] = await admin('POST', '/data-planes', { gateway_id: 'g1', name: 'second' });
  });
  afterAll(() => service.stop());

  it('stands in the record, per data plane, for as long as the data plane says so', async () => {
    expect(await target()).toMatchObject({ health: null, data_plane_health: [] });
    expect(await beat('acme-g1', [reported('t1', 'HEALTHY'), reported('t2', 'DNS_ERROR', 'b.test')])).toBe(202);
    expect(await beat('acme-second', [reported('t1', 'UNHEALTHY')])).toBe(202);
    expect(await beat('acme-g1')).toBe(202);
    expect((await target()).health).toBe('UNHEALTHY');
    expect((await target()).data_plane_health.map((one) => [one.data_plane_name, one.health, one.address])).toEqual([
      ['second', 'UNHEALTHY', '10.0.0.1:80'],
      ['g1-node', 'HEALTHY', '10.0.0.1:80'],
    ]);
    expect(await target('t2')).toMatchObject({ health: 'DNS_ERROR', data_plane_health: [{ address: 'b.test' }] });
    const page = await admin<{ items: readonly Shown[]; total: number; upstream_name: string }>(
      'GET',
      '/gateways/g1/upstreams/pool/health',
    );
    expect(page).toMatchObject({ total: 2, upstream_name: 'pool', upstream_id: 'u1' });
    expect(new Set(page.items.map((item) => item.health))).toEqual(new Set(['DNS_ERROR', 'UNHEALTHY']));
    expect(await beat('acme-second', [])).toBe(202);
    expect((await target()).health).toBe('HEALTHY');
    const partly = [reported('t1', 'UNHEALTHY', '[::1]:80'), reported('t1', 'HEALTHY', '127.0.0.1:80')];
    expect(await beat('acme-g1', partly)).toBe(202);
    expect(await target()).toMatchObject({ health: 'HEALTHY', data_plane_health: [{ address: '[::1]:80' }, {}] });
  });

  it('a record that was read may be written back, whatever has become of its health', async () => {
    const read = await target();
    expect(await beat('acme-g1', [reported('t1', 'UNHEALTHY')])).toBe(202);
    const written = await admin<Shown & { weight: number }>('PUT', '/gateways/g1/targets/t1', { ...read, weight: 7 });
    expect([written.weight, written.health]).toEqual([7, 'UNHEALTHY']);
  });

  it('a data plane cannot speak of another gateway, nor of another tenant', async () => {
    await beat('acme-g1', [reported('t1', 'HEALTHY')]);
    expect(await beat('acme-g2', [reported('t1', 'UNHEALTHY')])).toBe(202);
    expect(await beat('other-g1', [reported('t1', 'DNS_ERROR')])).toBe(202);
    expect(await target()).toMatchObject({ health: 'HEALTHY', data_plane_health: [{ data_plane_name: 'g1-node' }] });
    expect(await target('t1', 'other')).toMatchObject({ health: 'DNS_ERROR' });
    const foreign = await send('GET', '/api/v1/admin/gateways/g1/upstreams/u9/health?tenant_id=acme', token);
    expect(foreign.status).toBe(404);
  });

  it('what is said of a target that the gateway does not have is not kept', async () => {
    await beat('acme-g1', [reported('t1', 'HEALTHY'), reported('made-up', 'UNHEALTHY')]);
    await admin('POST', '/gateways/g1/targets', { id: 'made-up', upstream_id: 'u1', host: '10.0.0.9', port: 80 });
    expect((await target('made-up')).health).toBeNull();
    await admin('DELETE', '/gateways/g1/targets/made-up');
    expect((await target()).health).toBe('HEALTHY');
  });

  it('why a target is not well is shown', async () => {
    await beat('acme-g1', [{ ...reported('t1', 'UNHEALTHY'), reason: 'probes: status 503' }]);
    expect((await target()).data_plane_health[0]).toMatchObject({ health: 'UNHEALTHY', reason: 'probes: status 503' });
    await beat('acme-g1', [reported('t1', 'HEALTHY')]);
    expect((await target()).data_plane_health[0]).not.toHaveProperty('reason');
  });

  it('a report that is too long or says something else is refused whole', async () => {
    const many = Array.from({ length: 10_001 }, () => reported('t1', 'UNHEALTHY'));
    expect(await beat('acme-g1', many)).toBe(422);
    expect(await beat('acme-g1', [{ ...reported('t1', 'HEALTHY'), health: 'WELL' } as unknown as ReportedTarget])).toBe(
      422,
    );
    expect((await target()).health).toBe('HEALTHY');
  });

  it('open circuits stand in the data plane record until they are closed', async () => {
    const circuits = [{ instance_id: 'i1', plugin: 'rate_limiter', phase: 'open' }];
    const shown = () => admin<Record<string, unknown>>('GET', `/data-planes/${nodes['acme-g1']?.['id']}`);
    expect(await beat('acme-g1', undefined, circuits)).toBe(202);
    expect(await shown()).toMatchObject({ circuits });
    expect(await beat('acme-g1', undefined, [])).toBe(202);
    expect(await shown()).toMatchObject({ circuits: [] });
  });

  it('what a deleted data plane said is gone with it', async () => {
    await beat('acme-second', [reported('t1', 'UNHEALTHY')]);
    expect((await target()).health).toBe('UNHEALTHY');
    await admin('DELETE', `/data-planes/${nodes['acme-second']?.['id']}`);
    expect((await target()).health).toBe('HEALTHY');
  });
});
