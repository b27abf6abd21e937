import { eventually } from '@portcullis/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { password, startTestService } from '../testing/test-service.test-support.ts';
import { readConfiguration } from './read-configuration.test-support.ts';
import type { TestService } from '../testing/test-service.test-support.ts';

const canary = 'canary-secret-of-another-gateway-0123456789';

describeOnEachDatabase('what gateway processes get', (context) => {
  let service: TestService;
  let token = '';

  const send = (method: string, path: string, bearer: string, body?: unknown, headers = {}): Promise<Response> =>
    fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const make = async (path: string, body: object): Promise<Record<string, string>> => {
    const answer = await send('POST', `/api/v1/admin${path}?tenant_id=acme`, token, body);
    const made = await answer.json();
    expect(answer.status, JSON.stringify(made)).toBe(201);
    return made as Record<string, string>;
  };
  const change = async (method: string, path: string, body?: object): Promise<void> => {
    expect((await send(method, `/api/v1/admin${path}?tenant_id=acme`, token, body)).ok).toBe(true);
  };
  const dataPlane = (gatewayId: string, name: string) => make('/data-planes', { gateway_id: gatewayId, name });

  beforeAll(async () => {
    service = await startTestService(context.url());
    const login = await send('POST', '/auth/login', '', { username: 'admin', password });
    token = ((await login.json()) as { access_token: string }).access_token;
    await send('POST', '/api/v1/admin/tenants', token, { name: 'Acme', slug: 'acme' });
    for (const id of ['g1', 'g2']) {
      await make('/gateways', { id, name: id });
      await make(`/gateways/${id}/services`, { id: `${id}-service`, name: 'orders', url: 'http://a.test' });
      await make(`/gateways/${id}/routes`, { id: `${id}-route`, name: 'orders', path: '/o', service_name: 'orders' });
    }
  });
  afterAll(() => service.stop());

  it('a node gets nothing that belongs to another gateway, by whatever reference it belongs there', async () => {
    const config = { valid_keys: [canary] };
    await make('/plugins', { name: 'api_key_auth', scope: 'service', service_id: 'g2-service', config });
    await make('/plugins', { name: 'api_key_auth', scope: 'route', route_id: 'g2-route', config });
    await make('/plugins', { name: 'api_key_auth', scope: 'gateway', gateway_id: 'g2', config });
    await make('/workspaces', { id: 'w2', name: 'w2' });
    await change('PATCH', '/gateways/g2', { workspace_id: 'w2' });
    await make('/plugins', { name: 'api_key_auth', scope: 'workspace', workspace_id: 'w2', config });
    const consumer = await make('/consumers', { username: 'only-g2', gateway_id: 'g2' });
    const foreign = await make(`/consumers/${consumer['id']}/credentials`, { type: 'api_key', name: 'k' });
    const shared = await make('/consumers', { username: 'everywhere' });
    const own = await make(`/consumers/${shared['id']}/credentials`, { type: 'api_key', name: 'k' });
    const documentOf = async (gatewayId: string): Promise<string> => {
      const node = await dataPlane(gatewayId, 'reader');
      return (await send('GET', '/api/v1/data-plane/config', node['token'] ?? '')).text();
    };
    const [first, second] = [await documentOf('g1'), await documentOf('g2')];
    for (const text of [canary, consumer['id'] ?? '', foreign['id'] ?? '', 'g2-route'])
      expect(first).not.toContain(text);
    for (const text of [shared['id'] ?? '', own['id'] ?? '', 'g1-route']) expect(first).toContain(text);
    expect(second.split(canary)).toHaveLength(5);
    expect(second).toContain(foreign['id']);
    expect(second).not.toContain(foreign['key']);
  });

  it('a node that has the configuration gets 304, also when another gateway changed', async () => {
    const node = await dataPlane('g1', 'follower');
    const first = await send('GET', '/api/v1/data-plane/config', node['token'] ?? '');
    const { revision } = readConfiguration(await first.text()).head;
    const again = () =>
      send('GET', `/api/v1/data-plane/config?since=${revision}`, node['token'] ?? '', undefined, {
        'if-none-match': first.headers.get('etag') ?? '',
      });
    expect((await again()).status).toBe(304);
    await change('PATCH', '/gateways/g2/services/orders', { retries: 1 });
    expect((await again()).status).toBe(304);
    await change('PATCH', '/gateways/g1/services/orders', { retries: 1 });
    expect((await again()).status).toBe(200);
  });

  it('the stream tells each change of the gateway, and ends when the data plane is deleted', async () => {
    const node = await dataPlane('g1', 'listener');
    const stream = await send('GET', '/api/v1/data-plane/stream', node['token'] ?? '');
    let heard = '';
    let isOver = false;
    const listening = (async () => {
      for await (const chunk of stream.body ?? []) heard += Buffer.from(chunk).toString();
      isOver = true;
    })();
    const told = (): number[] => [...heard.matchAll(/"revision":(\d+)/g)].map((match) => Number(match[1]));
    await eventually(() => told().length === 1);
    await change('PATCH', '/gateways/g1/services/orders', { retries: 2 });
    await eventually(() => told().length === 2);
    await change('DELETE', `/data-planes/${node['id']}`);
    await eventually(() => isOver);
    await listening;
    expect(told()).toHaveLength(2);
    expect((await send('GET', '/api/v1/data-plane/config', node['token'] ?? '')).status).toBe(401);
  });

  it('what a node says of itself is shown, and its open streams are bounded', async () => {
    const node = await dataPlane('g1', 'talker');
    const post = (path: string, body: object) => send('POST', `/api/v1/data-plane/${path}`, node['token'] ?? '', body);
    const beat = { version: '0.1.0', hostname: 'h', plugin_versions: { a: '1.0.0' }, uptime_seconds: 1 };
    const names = Array.from({ length: 257 }, (_, at): [string, string] => [`plugin_${at}`, '1.0.0']);
    expect((await post('heartbeat', { ...beat, plugin_versions: Object.fromEntries(names) })).status).toBe(422);
    expect((await post('heartbeat', beat)).status).toBe(202);
    const errors = [{ pointer: '/routes/0/path', message: 'is wrong' }];
    const ack = { revision: 1, hash: 'x', duration_ms: 3 };
    expect((await post('ack', { ...ack, status: 'rejected', errors })).status).toBe(202);
    const shown = async () =>
      (await send('GET', `/api/v1/admin/data-planes/${node['id']}?tenant_id=acme`, token)).json();
    expect(await shown()).toMatchObject({
      status: 'online',
      sync_status: 'rejected',
      last_error: '/routes/0/path: is wrong',
      hostname: 'h',
    });
    const { target_revision: revision } = (await shown()) as { target_revision: number };
    expect((await post('ack', { ...ack, revision, status: 'applied' })).status).toBe(202);
    const applied = await shown();
    expect(applied).toMatchObject({ sync_status: 'normal', config_revision: revision });
    expect(applied).not.toHaveProperty('last_error', expect.stringContaining('is wrong'));
    const leftOut = [{ pointer: '/resources/routes/3/path', message: 'cannot be matched' }];
    expect((await post('ack', { ...ack, revision, status: 'applied', errors: leftOut })).status).toBe(202);
    expect(await shown()).toMatchObject({
      sync_status: 'normal',
      last_error: '/resources/routes/3/path: cannot be matched',
    });
    const skewed = async (status: string, code: string): Promise<void> => {
      const report = { ...ack, revision: revision + Number(status === 'rejected'), status };
      const missing = [{ pointer: '/resources/plugins/p/name', message: 'is not there', code }];
      expect((await post('ack', { ...report, errors: missing })).status).toBe(202);
    };
    await skewed('applied', 'plugin_missing');
    expect(await shown()).toMatchObject({ sync_status: 'plugin_set_incompatible' });
    await skewed('rejected', 'format_unknown');
    expect(await shown()).toMatchObject({ sync_status: 'version_incompatible' });
    expect(await shown()).not.toHaveProperty('skew');
    expect((await post('ack', { ...ack, revision, status: 'applied' })).status).toBe(202);
    expect((await post('heartbeat', { ...beat, version: '9.0.0' })).status).toBe(202);
    expect(await shown()).toMatchObject({ sync_status: 'version_incompatible' });
    const streams = await Promise.all(
      Array.from({ length: 9 }, () => send('GET', '/api/v1/data-plane/stream', node['token'] ?? '')),
    );
    expect(streams.map((stream) => stream.status).filter((status) => status === 429)).toHaveLength(1);
    for (const stream of streams) await stream.body?.cancel();
    await eventually(async () => {
      const next = await send('GET', '/api/v1/data-plane/stream', node['token'] ?? '');
      await next.body?.cancel();
      return next.status === 200;
    });
  });
});
