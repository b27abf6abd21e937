import { readFile, writeFile } from 'node:fs/promises';
import { eventually } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStack, superAdministrator } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

const key = 'demo-key-7hKq2mZx9TwB4sLd';

describe('a request through a gateway that the control plane configured', () => {
  let stack: Stack;
  let gatewayId: string;

  beforeAll(async () => {
    stack = await startStack();
    const created = await stack.admin.call('POST', '/api/v1/admin/tenants', { name: 'Default', slug: 'default' });
    expect(created.status).toBe(201);
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  it('gwctl signs in with a password and keeps a context', async () => {
    const { username, password } = superAdministrator;
    const login = await stack.gwctl(
      '--api-url',
      stack.adminUrl,
      'login',
      '--username',
      username,
      '--password',
      password,
      '--tenant-id',
      'default',
    );
    expect(login, login.stderr).toMatchObject({ code: 0 });
    const status = await stack.gwctl('-o', 'json', 'status');
    expect(JSON.parse(status.stdout)).toMatchObject({ health: { status: 'ok' }, gateways: { items: [] } });
  });

  it('gwctl sync applies the sample in one go, and a second time changes nothing', async () => {
    const file = stack.folder.join('quickstart.yaml');
    const sample = await readFile(new URL('../examples/quickstart.yaml', import.meta.url), 'utf8');
    await writeFile(
      file,
      sample.replaceAll('http://127.0.0.1:8002', stack.upstream.url).replace('limit: 60', 'limit: 3'),
    );
    const preview = await stack.gwctl('-o', 'json', 'sync', file);
    expect(JSON.parse(preview.stdout), preview.stderr).toMatchObject({ status: 'dry_run', counts: { created: 0 } });
    const applied = await stack.gwctl('-o', 'json', 'sync', file, '--apply');
    expect(JSON.parse(applied.stdout), applied.stderr).toMatchObject({
      status: 'success',
      counts: { failed: 0, created: 7 },
    });
    const again = await stack.gwctl('-o', 'json', 'sync', file, '--apply');
    expect(JSON.parse(again.stdout)).toMatchObject({
      status: 'success',
      counts: { created: 0, updated: 0, unchanged: 7 },
    });
  });

  it('a gateway process connects with its data-plane token and takes the configuration', async () => {
    const gateways = await stack.admin.call('GET', '/api/v1/admin/gateways?tenant_id=default&name=quickstart');
    gatewayId = gateways.body.items[0].id;
    const node = await stack.admin.call('POST', '/api/v1/admin/data-planes', {
      tenant_id: 'default',
      gateway_id: gatewayId,
      name: 'node-1',
    });
    expect(node.status).toBe(201);
    expect(node.body.token).toMatch(/^gwdp_/);
    await stack.startGateway(node.body.token);
    const seen = await eventually(async () => {
      const { body } = await stack.admin.call('GET', `/api/v1/admin/data-planes/${node.body.id}?tenant_id=default`);
      return body.sync_status === 'normal' && body;
    });
    expect(seen).toMatchObject({ status: 'online', config_revision: seen.target_revision });
    expect(JSON.stringify(seen)).not.toContain('gwdp_');
  });

  it('a route with a key lets the key through, tells the upstream who it is, and refuses the rest', async () => {
    const refused = await fetch(`${stack.gatewayUrl}/echo/hello`);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    const wrong = await fetch(`${stack.gatewayUrl}/echo/hello`, { headers: { 'x-api-key': 'not-a-key-of-anyone' } });
    expect(wrong.status).toBe(401);
    stack.upstream.requests.length = 0;
    const allowed = await fetch(`${stack.gatewayUrl}/echo/hello?a=1`, {
      headers: { 'x-api-key': key, 'x-consumer-username': 'mallory' },
    });
    expect(allowed.status).toBe(200);
    expect(allowed.headers.get('x-correlation-id')).toBeTruthy();
    expect(stack.upstream.requests).toHaveLength(1);
    expect(stack.upstream.requests[0]).toMatchObject({
      method: 'GET',
      url: '/hello?a=1',
      headers: { 'x-consumer-username': 'demo' },
    });
  });

  it('the limit holds, says so in headers, and a refused request never reaches the upstream', async () => {
    stack.upstream.requests.length = 0;
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1) {
      const answer = await fetch(`${stack.gatewayUrl}/echo/limited`, { headers: { 'x-api-key': key } });
      statuses.push(answer.status);
      if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(stack.upstream.requests).toHaveLength(statuses.filter((status) => status === 200).length);
  });

  it('a change in the administration API governs the requests', async () => {
    expect((await fetch(`${stack.gatewayUrl}/added`)).status).toBe(404);
    const path = `/api/v1/admin/gateways/quickstart/routes?tenant_id=default`;
    const added = await stack.admin.call('POST', path, { name: 'added', path: '/added', service_name: 'echo' });
    expect(added.status).toBe(201);
    await eventually(async () => (await fetch(`${stack.gatewayUrl}/added`)).status === 200);
    const changed = await stack.admin.call(
      'PATCH',
      `/api/v1/admin/gateways/quickstart/routes/added?tenant_id=default`,
      {
        plugins: [{ name: 'request_termination', config: { header_equals: { 'x-block': 'yes' }, status_code: 418 } }],
      },
    );
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    const blocked = { headers: { 'x-block': 'yes' } };
    await eventually(async () => (await fetch(`${stack.gatewayUrl}/added`, blocked)).status === 418);
    const removed = await stack.admin.call(
      'DELETE',
      `/api/v1/admin/gateways/quickstart/routes/added?tenant_id=default`,
    );
    expect(removed.status).toBe(204);
    await eventually(async () => (await fetch(`${stack.gatewayUrl}/added`)).status === 404);
  });

  it('the traffic can be read back, and the summary counts what was sent', async () => {
    const before = await stack.admin.call('GET', '/api/v1/admin/observability/summary?tenant_id=default');
    for (let index = 0; index < 5; index += 1) await fetch(`${stack.gatewayUrl}/public/seen`);
    const summary = await eventually(async () => {
      const { body } = await stack.admin.call('GET', '/api/v1/admin/observability/summary?tenant_id=default');
      // Earlier requests may be counted only now: what counts is how many of these were.
      return (body.by_status['200'] ?? 0) >= (before.body.by_status['200'] ?? 0) + 5 && body;
    });
    expect(summary.totals.latency_ms.p50).toBeGreaterThan(0);
    const list = await eventually(async () => {
      const path = '/api/v1/admin/observability/requests?tenant_id=default&path_prefix=/public/seen&limit=200';
      const answer = await stack.admin.call('GET', path);
      return answer.body.total >= 5 && answer;
    });
    expect(list.body.items[0]).toMatchObject({
      method: 'GET',
      path: '/public/seen',
      status: 200,
      status_source: 'upstream',
    });
    const limited = await stack.admin.call('GET', '/api/v1/admin/observability/requests?tenant_id=default&status=429');
    expect(limited.body.items[0]).toMatchObject({ status_source: 'plugin' });
    expect(limited.body.items[0].plugins.map((step: { name: string }) => step.name)).toContain('rate_limiter');
    expect(JSON.stringify(limited.body)).not.toContain(key);
  });

  it('no answer of the administration API and no log line holds a key or a token', async () => {
    const paths = [
      'consumer-credentials',
      'plugins',
      'data-planes',
      'consumers',
      `gateways/${gatewayId}/routes`,
      'api-tokens',
    ];
    for (const path of paths) {
      const { status, body } = await stack.admin.call('GET', `/api/v1/admin/${path}?tenant_id=default&limit=200`);
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toMatch(
        new RegExp(`${key}|gwdp_[0-9A-Za-z]+_|key_hash|secret_hash|password_hash`),
      );
    }
    const logs = stack.controlPlane().stdout() + stack.gateway().stdout();
    expect(logs).not.toMatch(new RegExp(`${key}|gwdp_[0-9A-Za-z]+_|${superAdministrator.password}`));
  });
});
