import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';

describeOnEachDatabase('records that route traffic', (context) => {
  let service: TestService;
  const admin = '/api/v1/admin';
  const edge = `${admin}/gateways/edge`;
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.call(method, `${path}${path.includes('?') ? '&' : '?'}tenant_id=acme`, body);
  const make = async (path: string, body: object): Promise<Answer['body']> => {
    const answer = await call('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const refusal = async (path: string, body: object): Promise<unknown> => {
    const answer = await call('POST', path, body);
    return [
      answer.status,
      ...(answer.body.errors ?? []).map((error: { pointer: string; code: string }) => `${error.pointer} ${error.code}`),
    ];
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    await make(`${admin}/gateways`, { id: 'edge', name: 'edge' });
  });
  afterAll(() => service.stop());

  it('gateways join a workspace, which then cannot be deleted', async () => {
    const workspace = await make(`${admin}/workspaces`, { name: 'team' });
    const gateway = await make(`${admin}/gateways`, { name: 'joined', workspace_id: workspace.id });
    expect(gateway).toMatchObject({ workspace_id: workspace.id, allow_encoded_slashes: true });
    expect(gateway.workspace.id).not.toBe(workspace.id);
    expect((await call('DELETE', `${admin}/workspaces/${workspace.id}`)).status).toBe(409);
    expect(await refusal(`${admin}/gateways`, { name: 'lost', workspace_id: 'nowhere' })).toEqual([
      422,
      '/workspace_id reference_not_found',
    ]);
    const left = await call('PATCH', `${admin}/gateways/joined`, { workspace_id: null, allow_encoded_slashes: false });
    expect([left.body.workspace_id, left.body.allow_encoded_slashes]).toEqual([undefined, false]);
    expect((await call('DELETE', `${admin}/workspaces/${workspace.id}`)).status).toBe(204);
  });

  it('services show the parts of their address, whatever its scheme, and not those of one that they had', async () => {
    const made = await make(`${edge}/services`, { name: 'rpc', url: 'grpc://a.test:50051/pkg' });
    expect(made).toMatchObject({ protocol: 'grpc', host: 'a.test', port: 50_051, path: '/pkg', tls_verify: true });
    await make(`${edge}/upstreams`, { name: 'rpc-pool' });
    const pooled = await call('PUT', `${edge}/services/rpc`, { name: 'rpc', upstream_name: 'rpc-pool' });
    expect(pooled.body).toMatchObject({ protocol: 'http', path: '/' });
    expect([pooled.body.host, pooled.body.port]).toEqual([undefined, undefined]);
    expect(await refusal(`${edge}/services`, { name: 'x', upstream_url: 'http://a.test' })).toEqual(
      expect.arrayContaining([422, '/upstream_url unknown_field']),
    );
    expect(await refusal(`${edge}/services`, { name: 'x', url: 'tcp://a.test' })).toEqual([422, '/url format']);
  });

  it('services refer to certificates of their own gateway only', async () => {
    const none = { client_certificate_id: 'none', ca_certificate_ids: ['none'] };
    expect(await refusal(`${edge}/services`, { name: 'x', url: 'https://a.test', ...none })).toEqual([
      422,
      '/client_certificate_id reference_not_found',
      '/ca_certificate_ids/0 reference_not_found',
    ]);
  });

  it('routes take a service by ID or name, and everything that they match by', async () => {
    const { id } = await make(`${edge}/services`, { name: 'shop', url: 'http://a.test' });
    const route = {
      name: 'full',
      service_name: 'shop',
      paths: ['/a', '~/b/(?<id>[0-9]+)'],
      hosts: ['a.test', '*.b.test'],
      methods: ['GET', 'POST'],
      headers: { 'X-Version': ['1', '2'] },
      query: { beta: ['yes'] },
      snis: ['a.test', '*.b.test'],
      protocols: ['https', 'wss'],
      https_redirect_status_code: 308,
      request_buffering: true,
      response_buffering: true,
      regex_priority: 5,
      priority: -1,
      timeout_ms: { connect: 1, read: 2, write: 3 },
    };
    const { service_name: _, ...shown } = route;
    const made = await make(`${edge}/routes`, route);
    expect(made).toMatchObject({ ...shown, service_id: id });
    expect((await call('PUT', `${edge}/routes/full`, made)).body).toEqual(made);
    await make(`${edge}/routes`, { name: 'by-id', path: '/c', service_id: id });
    expect(
      await refusal(`${edge}/routes`, { name: 'x', path: '/x', protocols: ['udp'], snis: ['a_b.*.test'] }),
    ).toEqual([422, '/snis/0 format', '/protocols/0 one_of']);
  });

  it('upstreams keep their health checks, change parts of them, and refuse half a hash', async () => {
    const made = await make(`${edge}/upstreams`, {
      name: 'pool',
      algorithm: 'consistent-hashing',
      hash_on: 'header',
      hash_on_header: 'X-User',
      hash_fallback: 'cookie',
      hash_on_cookie: 'sticky',
      healthchecks: { active: { http_path: '/health', headers: { 'X-Probe': ['yes'] } } },
    });
    expect(made.healthchecks).toMatchObject({
      active: { http_path: '/health', healthy: { interval: 1 } },
      threshold: 0,
    });
    expect(made.healthchecks).not.toHaveProperty('passive');
    const changed = await call('PATCH', `${edge}/upstreams/pool`, {
      healthchecks: { active: { healthy: { successes: 9 } }, passive: {} },
    });
    expect(changed.body.healthchecks).toMatchObject({
      active: { http_path: '/health', healthy: { successes: 9, interval: 1 } },
      passive: { unhealthy: { timeouts: 3 } },
    });
    const without = await call('PATCH', `${edge}/upstreams/pool`, { healthchecks: null });
    expect(without.body).not.toHaveProperty('healthchecks');
    const half = await call('PATCH', `${edge}/upstreams/pool`, { hash_on_header: null });
    expect(half).toMatchObject({ status: 422, body: { errors: [{ pointer: '/hash_on_header', code: 'required' }] } });
  });

  it('targets have a tier, and a name that does not contradict their address', async () => {
    const { id } = await make(`${edge}/upstreams`, { name: 'tiers' });
    const targets = `${edge}/upstreams/tiers/targets`;
    expect(await make(targets, { target: 'a.test:80', priority: -1, weight: 0 })).toMatchObject({
      upstream_id: id,
      priority: -1,
      weight: 0,
    });
    expect(await refusal(targets, { name: 'a.test:81', host: 'b.test', port: 81 })).toEqual([
      422,
      '/host contradiction',
    ]);
    expect(await refusal(targets, { name: 'a b:81' })).toEqual([422, '/name required']);
    const named = await make(targets, { name: 'spare', host: '[::1]', port: 82 });
    expect(named).toMatchObject({ name: 'spare', host: '::1', port: 82, priority: 0, weight: 100 });
    const made = await make(targets, { host: '::1', port: 83 });
    expect(made.name).toBe('[::1]:83');
    const moved = await call('PATCH', `${edge}/targets/${made.id}`, { port: 84 });
    expect(moved.body).toMatchObject({ name: '[::1]:84', port: 84 });
    expect(await refusal(targets, { target: '[::1]:84' })).toEqual([409, '/host exists', '/port exists']);
  });
});
